import { z } from 'zod'
import type { Instant } from '../../../domain/time.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { TimeWindow } from '../../provider.ts'
import { parseParts } from '../../mapping/readable-parts.ts'
import { readableText } from '../../mapping/text.ts'
import { textIn } from '../attributes.ts'
import { sourceIdOf } from '../mappers.ts'
import * as records from '../schemas.ts'

/**
 * Fault code of a device, from the first position that lists it until the first one that does not. Saved checkpoints
 * have these names.
 */
export interface DeviceFault {
  readonly code: string
  /** Id of the first position that lists the code. */
  readonly id: number
  /** Time of this position. */
  readonly at: Instant
  /** Null while the fault is open. */
  readonly closedAt: Instant | null
}

/**
 * Position that lists all current fault codes. A position with engine data (`hours`) and without codes means that no
 * fault is open.
 */
export interface FaultReport {
  readonly id: number
  readonly at: Instant
  readonly codes: readonly string[]
  readonly position: unknown
}

export const faultReportsIn = (positions: readonly unknown[]): FaultReport[] =>
  positions.flatMap((position) => {
    const data = parseParts(records.position, position)
    if (!data || !hasReadableCodes(position)) return []
    const { hours, dtcs } = data.attributes
    // Such a position does not show whether a fault is open.
    if (hours == null && dtcs == null) return []
    const codes = textIn(data.attributes, 'dtcs')?.split(/[\s,]+/) ?? []
    return [{ id: data.id, at: data.fixTime, codes: [...new Set(codes)], position }]
  })

const positionCodes = z.looseObject({
  attributes: z.looseObject({ dtcs: readableText.nullish() }).nullish(),
})

/** Whether the codes of a position are readable. Unreadable codes do not mean that there are none. */
const hasReadableCodes = (position: unknown): boolean => positionCodes.safeParse(position).success

/**
 * Applies the positions of a time range, in the order of time, to the known faults of a device. If the range was read
 * before, a late position can change the start or the end of a fault in it. Starts and ends outside the range stay.
 */
export function applyReports(
  known: readonly DeviceFault[],
  reports: readonly FaultReport[],
  { from, to }: TimeWindow,
): DeviceFault[] {
  const closed = known.filter(({ at, closedAt }) => at < from && closedAt !== null && closedAt < from)
  // Faults that are open at the time of the current report. They may have a `closedAt` from an earlier read.
  let open = known.filter((fault) => fault.at < from && !closed.includes(fault))
  for (const { id, at, codes } of reports) {
    const ended = open.filter(({ code }) => !codes.includes(code))
    closed.push(...ended.map((fault) => ({ ...fault, closedAt: at })))
    open = open.filter(({ code }) => codes.includes(code))
    for (const code of codes.filter((candidate) => !open.some((fault) => fault.code === candidate)))
      open.push({ code, id, at, closedAt: null })
  }
  const endsAfterRange = ({ at, closedAt }: DeviceFault) => at < to && closedAt !== null && closedAt >= to
  const endAfterRange = (code: string) =>
    known.find((fault) => fault.code === code && endsAfterRange(fault))?.closedAt ?? null
  return [
    ...closed,
    ...open.map((fault) => ({ ...fault, closedAt: endAfterRange(fault.code) })),
    ...known.filter(({ at }) => at >= to),
  ]
}

/**
 * Change of a fault. `gone`: a late position showed that no fault began at `since`. `position` is the position that
 * caused the change; null for `gone`.
 */
export const faultChangeSchema = z.object({
  deviceId: z.number(),
  code: z.string(),
  since: z.object({ positionId: z.number(), fixTime: z.number() }),
  status: z.enum(['open', 'closed', 'gone']),
  position: z.unknown(),
})

type Change = z.infer<typeof faultChangeSchema>

/** Compares the faults of a device before and after a read, and returns the changes with their positions. */
export function diffFaults(
  deviceId: number,
  before: readonly DeviceFault[],
  after: readonly DeviceFault[],
  reports: readonly FaultReport[],
): Change[] {
  const toChange = (fault: DeviceFault, status: Change['status'], report?: FaultReport): Change => ({
    deviceId,
    code: fault.code,
    since: { positionId: fault.id, fixTime: fault.at },
    status,
    position: report?.position ?? null,
  })
  const changed = after.flatMap((fault) => {
    const status = statusOf(fault)
    const previous = before.find((candidate) => isSameFault(fault, candidate))
    if (previous && statusOf(previous) === status) return []
    const report = reports.find((candidate) =>
      status === 'open' ? candidate.id === fault.id : candidate.at === fault.closedAt,
    )
    return [toChange(fault, status, report)]
  })
  const gone = before.filter((fault) => !after.some((candidate) => isSameFault(fault, candidate)))
  return [...changed, ...gone.map((fault) => toChange(fault, 'gone'))]
}

const statusOf = ({ closedAt }: DeviceFault) => (closedAt === null ? 'open' : 'closed')
const isSameFault = (one: DeviceFault, other: DeviceFault) => one.id === other.id && one.code === other.code

/**
 * Maps a change of a fault. Trackers use OBD-II codes. A fault that is gone counts as deleted. Its deletion has no time
 * of its own, so the start of the fault stands for it.
 */
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
