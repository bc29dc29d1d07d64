import { optionalMember } from '../../mapping/optional-member.ts'
import type { Instant } from '../../../domain/time.ts'
import { instant } from '../schema-types.ts'

/** End that MyGeotab sends for an active record. */
const FOREVER = Date.UTC(2050)

export const lifecycleFields = { activeFrom: optionalMember(instant), activeTo: optionalMember(instant) }

interface Lifecycle {
  readonly activeFrom?: Instant | null | undefined
  readonly activeTo?: Instant | null | undefined
}

/** Time at which a record ended; null if it is active at `asOf`. */
export const lifecycleEnd = ({ activeTo }: Lifecycle, asOf: Instant = FOREVER): Instant | null =>
  activeTo == null || activeTo >= FOREVER || activeTo > asOf ? null : activeTo

export const lifecycleOf = (member: Lifecycle, asOf?: Instant) => ({
  deletedAt: lifecycleEnd(member, asOf),
  createdAt: member.activeFrom ?? null,
  updatedAt: null,
})

export const lifecycleStatusOf = (member: Lifecycle, asOf?: Instant) =>
  lifecycleEnd(member, asOf) === null ? 'active' : 'inactive'
