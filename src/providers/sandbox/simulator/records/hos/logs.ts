import { HOUR_MS } from '../../world/durations.ts'
import { type Point, rounded } from '../../world/road-network/geometry.ts'
import { motionAt, positionAfter } from '../../world/motion.ts'
import { between, dice, pick } from '../../world/random.ts'
import { idOf, timestamp } from '../ids.ts'
import type { Period, TimeOrdered } from '../time-ordered.ts'
import { type Segment, segmentsFrom } from './segments.ts'
import type { Shift } from './shift.ts'
import type { DutyStatus } from './work.ts'

export interface HosLogRecord {
  id: string
  driverId: string
  vehicleId: string | null
  codriverIds: string[]
  status: DutyStatus
  startedAt: string
  /** Null while it goes on. */
  endedAt: string | null
  location: Point | null
  remarks: { id: string; text: string; at: string }[]
  updatedAt: string
}

const CORRECTIONS = [
  'Corrected the note after the shift',
  'Reviewed with the safety department',
  'Added the reference of the shipment',
  'Confirmed after a request by the carrier',
]

const amendDice = dice('amendment of a log')
const delayDice = dice('delay of an amendment')

/** The logs of a driver that lasted in some part of a period, in order, as they look at `nowMs`. */
export function* hosLogs(
  shift: Shift,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<HosLogRecord>> {
  for (const segment of segmentsFrom(shift, sinceMs)) {
    if (segment.startMs >= untilMs) return
    yield { timeMs: segment.startMs, record: logRecord(shift, segment, nowMs) }
  }
}

function logRecord(shift: Shift, segment: Segment, nowMs: number): HosLogRecord {
  const { fleet, vehicle } = shift.track
  const { status, startMs, endMs } = segment
  const inTruck = isInTruck(shift, segment)
  const ended = endMs <= nowMs
  const amendedMs = ended ? amendmentMs(shift, segment, nowMs) : undefined
  return {
    id: segmentId('log', shift, segment),
    driverId: idOf('drv', fleet, shift.driver),
    vehicleId: inTruck ? idOf('veh', fleet, vehicle) : null,
    codriverIds: inTruck && shift.codriver !== null ? [idOf('drv', fleet, shift.codriver)] : [],
    status,
    startedAt: timestamp(startMs),
    endedAt: ended ? timestamp(endMs) : null,
    location: shift.silent ? null : pointAt(shift, startMs),
    remarks: remarksOf(shift, segment, amendedMs),
    updatedAt: timestamp(amendedMs ?? (ended ? endMs : startMs)),
  }
}

/** At work and in the berth; who is off duty is out of the truck, but for one of a team on the way. */
function isInTruck({ codriver, silent }: Shift, { status, startMs, endMs }: Segment): boolean {
  if (silent) return false
  return status !== 'off_duty' || (codriver !== null && endMs - startMs < 20 * HOUR_MS)
}

/** Of twenty logs one is amended, two to ten hours after it ended. */
function amendmentMs({ driver, track }: Shift, { day, index, endMs }: Segment, nowMs: number) {
  const { seed } = track.fleet
  if (amendDice(seed, driver, day * 32 + index) >= 1 / 20) return undefined
  const hours = between(2, 10, delayDice(seed, driver, day * 32 + index))
  const amendedMs = endMs + Math.floor(hours * HOUR_MS)
  return amendedMs <= nowMs ? amendedMs : undefined
}

function remarksOf(shift: Shift, segment: Segment, amendedMs: number | undefined) {
  const id = segmentId('rem', shift, segment)
  const written = segment.note === null ? [] : [remark(`${id}-0`, segment.note, segment.startMs)]
  if (amendedMs === undefined) return written
  const correction = pick(CORRECTIONS, delayDice(shift.track.fleet.seed, shift.driver, -segment.day))
  return [...written, remark(`${id}-1`, correction, amendedMs)]
}

const remark = (id: string, text: string, atMs: number) => ({ id, text, at: timestamp(atMs) })

function segmentId(prefix: 'log' | 'rem', { driver, track }: Shift, { day, index }: Segment): string {
  return idOf(prefix, track.fleet, driver, day + 1, index)
}

function pointAt({ track }: Shift, timeMs: number): Point {
  const { lat, lng } = positionAfter(track, motionAt(track, timeMs).miles)
  return { lat: rounded(lat, 6), lng: rounded(lng, 6) }
}
