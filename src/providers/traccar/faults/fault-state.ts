import { z } from 'zod'
import type { Instant } from '../../../domain/time.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { TimeWindow } from '../../provider.ts'
import { textIn } from '../attributes.ts'
import { sourceIdOf } from '../mappers.ts'
import * as records from '../schemas.ts'

/** Fault code of a device, from the first position that lists it until the first one that does not. */
export interface DeviceFault {
  readonly code: string
  /** First position that lists the code, and its time. */
  readonly id: number
  readonly at: Instant
  /** Null while the fault is open. */
  readonly closedAt: Instant | null
}

/** Position with fault information. A position with engine data and no codes means that there are none. */
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
 * Applies the positions of a time range to the faults of a device. The range may be read again: a late
 * position can start a fault earlier, or close it earlier. Outside the range nothing changes.
 */
export function applyReports(
  known: readonly DeviceFault[],
  reports: readonly FaultReport[],
  { from, to }: TimeWindow,
): DeviceFault[] {
  const closed = known.filter(({ at, closedAt }) => at < from && closedAt !== null && closedAt < from)
  const closedAfterRange = ({ closedAt }: DeviceFault) =>
    closedAt !== null && closedAt >= to ? closedAt : null
  let open = known
    .filter((one) => one.at < from && !closed.includes(one))
    .map((one) => ({ ...one, closedAt: closedAfterRange(one) }))
  for (const { id, at, codes } of reports) {
    const gone = open.filter(({ code }) => !codes.includes(code))
    closed.push(...gone.map((one) => ({ ...one, closedAt: at })))
    open = open.filter(({ code }) => codes.includes(code))
    for (const code of codes.filter((one) => !open.some((other) => other.code === one))) {
      const before = known.find((one) => one.id === id && one.code === code)
      open.push({ code, id, at, closedAt: before ? closedAfterRange(before) : null })
    }
  }
  return [...closed, ...open, ...known.filter(({ at }) => at >= to)]
}

/** Change of a fault, with the position that caused it. No position if the fault never existed. */
export const faultChangeSchema = z.object({
  deviceId: z.number(),
  code: z.string(),
  since: z.object({ positionId: z.number(), fixTime: z.number() }),
  status: z.enum(['open', 'closed', 'gone']),
  position: z.unknown(),
})

type Change = z.infer<typeof faultChangeSchema>

/** Returns the changes of a device's faults. */
export function diffFaults(
  deviceId: number,
  before: readonly DeviceFault[],
  after: readonly DeviceFault[],
  reports: readonly FaultReport[],
): Change[] {
  const change = (one: DeviceFault, status: Change['status'], report: FaultReport | undefined): Change => ({
    deviceId,
    code: one.code,
    since: { positionId: one.id, fixTime: one.at },
    status,
    position: report?.position ?? null,
  })
  const changed = after.flatMap((one) => {
    const status = statusOf(one)
    const previous = before.find((other) => isSameFault(one, other))
    if (previous && statusOf(previous) === status) return []
    const report = reports.find((candidate) =>
      status === 'open' ? candidate.id === one.id : candidate.at === one.closedAt,
    )
    return [change(one, status, report)]
  })
  const gone = before.filter((one) => !after.some((other) => isSameFault(one, other)))
  return [...changed, ...gone.map((one) => change(one, 'gone', undefined))]
}

const statusOf = ({ closedAt }: DeviceFault) => (closedAt === null ? 'open' : 'closed')
const isSameFault = (one: DeviceFault, other: DeviceFault) => one.id === other.id && one.code === other.code

/** Maps a fault. Trackers use OBD-II codes. */
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
