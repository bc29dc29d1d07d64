import { HOUR_MS } from '../../world/durations.ts'
import { type Point, rounded } from '../../world/road-network/geometry.ts'
import { motionAt, positionAfter } from '../../world/motion.ts'
import { between, dice, pick } from '../../world/random.ts'
import { idOf, timestamp } from '../ids.ts'
import type { Period, TimeOrdered } from '../time-ordered.ts'
import { MAX_NIGHT_MS, type Segment, segmentsFrom } from './segments.ts'
import type { DriverAssignment } from './driver-assignment.ts'
import type { DutyStatus } from './work.ts'

export interface HosLogRecord {
  id: string
  driverId: string
  vehicleId: string | null
  codriverIds: string[]
  status: DutyStatus
  startedAt: string
  /** Null while the status continues. */
  endedAt: string | null
  location: Point | null
  remarks: { id: string; text: string; at: string }[]
  updatedAt: string
}

/** Remarks that an amendment adds to a log. */
const AMENDMENT_REMARKS = [
  'Corrected the note after the shift',
  'Reviewed with the safety department',
  'Added the reference of the shipment',
  'Confirmed after a request by the carrier',
]

const amendDice = dice('amendment of a log')
const delayDice = dice('delay of an amendment')

/** Returns the logs of a driver that overlap a period, in order, as the provider knows them at `nowMs`. */
export function* hosLogs(
  assignment: DriverAssignment,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<HosLogRecord>> {
  for (const segment of segmentsFrom(assignment, sinceMs)) {
    if (segment.startMs >= untilMs) return
    yield { timeMs: segment.startMs, record: logRecord(assignment, segment, nowMs) }
  }
}

function logRecord(assignment: DriverAssignment, segment: Segment, nowMs: number): HosLogRecord {
  const { fleet, vehicle } = assignment.route
  const { status, startMs, endMs } = segment
  const wasInTruck = isInTruck(assignment, segment)
  const isEnded = endMs <= nowMs
  const amendedMs = isEnded ? amendmentMs(assignment, segment, nowMs) : undefined
  return {
    id: segmentId('log', assignment, segment),
    driverId: idOf('drv', fleet, assignment.driver),
    vehicleId: wasInTruck ? idOf('veh', fleet, vehicle) : null,
    codriverIds: wasInTruck && assignment.codriver !== null ? [idOf('drv', fleet, assignment.codriver)] : [],
    status,
    startedAt: timestamp(startMs),
    endedAt: isEnded ? timestamp(endMs) : null,
    location: assignment.neverReports ? null : pointAt(assignment, startMs),
    remarks: remarksOf(assignment, segment, amendedMs),
    updatedAt: timestamp(amendedMs ?? (isEnded ? endMs : startMs)),
  }
}

/** Whether the driver is in the truck. An off-duty driver is not, except in a team during a short rest. */
function isInTruck(
  { codriver, neverReports }: DriverAssignment,
  { status, startMs, endMs }: Segment,
): boolean {
  if (neverReports) return false
  return status !== 'off_duty' || (codriver !== null && endMs - startMs < MAX_NIGHT_MS)
}

/**
 * Returns the time at which a log was amended; undefined if that has not happened yet. One log in twenty is
 * amended, two to ten hours after its end.
 */
function amendmentMs({ driver, route }: DriverAssignment, { day, index, endMs }: Segment, nowMs: number) {
  const { seed } = route.fleet
  if (amendDice(seed, driver, day * 32 + index) >= 1 / 20) return undefined
  const hours = between(2, 10, delayDice(seed, driver, day * 32 + index))
  const amendedMs = endMs + Math.floor(hours * HOUR_MS)
  return amendedMs <= nowMs ? amendedMs : undefined
}

function remarksOf(assignment: DriverAssignment, segment: Segment, amendedMs: number | undefined) {
  const id = segmentId('rem', assignment, segment)
  const notes = segment.note === null ? [] : [remark(`${id}-0`, segment.note, segment.startMs)]
  if (amendedMs === undefined) return notes
  const text = pick(
    AMENDMENT_REMARKS,
    delayDice(assignment.route.fleet.seed, assignment.driver, -segment.day),
  )
  return [...notes, remark(`${id}-1`, text, amendedMs)]
}

const remark = (id: string, text: string, atMs: number) => ({ id, text, at: timestamp(atMs) })

function segmentId(
  prefix: 'log' | 'rem',
  { driver, route }: DriverAssignment,
  { day, index }: Segment,
): string {
  // The first day is -1, and an id has no negative numbers.
  return idOf(prefix, route.fleet, driver, day + 1, index)
}

function pointAt({ route }: DriverAssignment, timeMs: number): Point {
  const { lat, lng } = positionAfter(route, motionAt(route, timeMs).miles)
  return { lat: rounded(lat, 6), lng: rounded(lng, 6) }
}
