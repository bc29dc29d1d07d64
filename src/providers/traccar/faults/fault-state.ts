import { z } from 'zod'
import type { Instant } from '../../../domain/time.ts'
import type { NormalizedFaultCodeEvent } from '../../normalized-records.ts'
import type { TimeWindow } from '../../provider.ts'
import { textIn } from '../attributes.ts'
import { sourceIdOf } from '../mappers.ts'
import * as records from '../schemas.ts'

/** A code of one device, from the first position that names it up to the first that does not any more. */
export interface DeviceFault {
  readonly code: string
  /** The position that named it first, and when. */
  readonly id: number
  readonly at: Instant
  /** Null while it is named. */
  readonly closedAt: Instant | null
}

/** A position that says which codes there are: one that tells of the engine and names none says that there are none. */
export interface FaultReport {
  readonly id: number
  readonly at: Instant
  readonly codes: readonly string[]
  readonly position: unknown
}

export const faultReportsIn = (positions: readonly unknown[]): FaultReport[] =>
  positions.flatMap((position) => {
    const { data } = records.position.safeParse(position)
    if (!data || !('hours' in data.attributes || 'dtcs' in data.attributes)) return []
    const codes = textIn(data.attributes, 'dtcs')?.split(/[\s,]+/) ?? []
    return [{ id: data.id, at: data.fixTime, codes: [...new Set(codes)], position }]
  })

/**
 * The codes of a device after its positions of a time were read, perhaps again: what came late may have begun a code
 * earlier or ended it sooner. Beyond that time nothing changes.
 */
export function applyReports(
  known: readonly DeviceFault[],
  tellings: readonly FaultReport[],
  { from, to }: TimeWindow,
): DeviceFault[] {
  const over = known.filter(({ at, closedAt }) => at < from && closedAt !== null && closedAt < from)
  const closedBeyond = ({ closedAt }: DeviceFault) => (closedAt !== null && closedAt >= to ? closedAt : null)
  let open = known
    .filter((one) => one.at < from && !over.includes(one))
    .map((one) => ({ ...one, closedAt: closedBeyond(one) }))
  for (const { id, at, codes } of tellings) {
    const gone = open.filter(({ code }) => !codes.includes(code))
    over.push(...gone.map((one) => ({ ...one, closedAt: at })))
    open = open.filter(({ code }) => codes.includes(code))
    for (const code of codes.filter((one) => !open.some((other) => other.code === one))) {
      const before = known.find((one) => one.id === id && one.code === code)
      open.push({ code, id, at, closedAt: before ? closedBeyond(before) : null })
    }
  }
  return [...over, ...open, ...known.filter(({ at }) => at >= to)]
}

/** What became of a code, with the position that told it; without one where it was never so after all. */
export const faultChangeSchema = z.object({
  deviceId: z.number(),
  code: z.string(),
  since: z.object({ positionId: z.number(), fixTime: z.number() }),
  status: z.enum(['open', 'closed', 'gone']),
  position: z.unknown(),
})

type Change = z.infer<typeof faultChangeSchema>

/** How the codes of a device differ from what was known of them. */
export function diffFaults(
  deviceId: number,
  before: readonly DeviceFault[],
  after: readonly DeviceFault[],
  tellings: readonly FaultReport[],
): Change[] {
  const change = (one: DeviceFault, status: Change['status'], told: FaultReport | undefined): Change => ({
    deviceId,
    code: one.code,
    since: { positionId: one.id, fixTime: one.at },
    status,
    position: told?.position ?? null,
  })
  const told = after.flatMap((one) => {
    const status = statusOf(one)
    const former = before.find((other) => isSame(one, other))
    if (former && statusOf(former) === status) return []
    const teller = tellings.find((telling) =>
      status === 'open' ? telling.id === one.id : telling.at === one.closedAt,
    )
    return [change(one, status, teller)]
  })
  const gone = before.filter((one) => !after.some((other) => isSame(one, other)))
  return [...told, ...gone.map((one) => change(one, 'gone', undefined))]
}

const statusOf = ({ closedAt }: DeviceFault) => (closedAt === null ? 'open' : 'closed')
const isSame = (one: DeviceFault, other: DeviceFault) => one.id === other.id && one.code === other.code

/** Trackers name codes as OBD-II does. */
export const toFaultCodeEvent = ({ deviceId, code, since, status }: Change): NormalizedFaultCodeEvent => ({
  sourceId: `${deviceId}:${code}:${since.positionId}`,
  vehicleSourceId: sourceIdOf(deviceId),
  protocol: 'obdii',
  status: status === 'open' ? 'open' : 'closed',
  code,
  description: null,
  observedAt: since.fixTime,
  milStatus: null,
  ...(status === 'gone' ? { deletedAt: since.fixTime } : {}),
})
