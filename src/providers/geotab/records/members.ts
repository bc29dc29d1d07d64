import type { Instant } from '../../../time.ts'
import { instant } from '../fields.ts'

/** What is still active ends in 2050. */
const FOREVER = Date.UTC(2050)

export const life = { activeFrom: instant.nullish(), activeTo: instant.nullish() }

interface Life {
  readonly activeFrom?: Instant | null | undefined
  readonly activeTo?: Instant | null | undefined
}

/** When it ceased; null where it goes on, if only until it is to cease. */
export const endOf = ({ activeTo }: Life, asOf: Instant = FOREVER): Instant | null =>
  activeTo == null || activeTo >= FOREVER || activeTo > asOf ? null : activeTo

export const lifeOf = (member: Life, asOf?: Instant) => ({
  deletedAt: endOf(member, asOf),
  createdAt: member.activeFrom ?? null,
  updatedAt: null,
})

export const statusOf = (member: Life, asOf?: Instant) =>
  endOf(member, asOf) === null ? 'active' : 'inactive'
