import type { Duty, DutyChange, Ms } from '../../world/truth.ts'
import { driversWithHours } from '../records/availability.ts'
import { annotationId, dutyId, mistakeAfter, mistakeId } from '../records/duty-status-log.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { hasInvalidPosition } from '../fleet/odd-places.ts'
import { dateAfter, localDate, startOfDate } from '../times.ts'
import { deviceId, userId } from '../formats.ts'
import { pointOf } from './trips.ts'

const statuses: Readonly<Record<Duty, string>> = {
  off: 'off_duty',
  sleeper: 'sleeper_bed',
  driving: 'driving',
  on: 'on_duty',
  yard: 'yard_move',
  personal: 'personal_conveyance',
  waiting: 'waiting_time',
}

interface TimedStatus {
  readonly change: DutyChange
  readonly endedAt: Ms | null
}

/** Returns the duty statuses of a driver, with those entered by mistake. Each ends when the next one begins. */
function timedStatusesOf(fleet: Fleet, driver: number): TimedStatus[] {
  const { world } = fleet
  const arrived = world.dutyChanges(driver, world.startsAt, world.now + 1)
  const mistaken = arrived
    .flatMap((change) => mistakeAfter(fleet, change) ?? [])
    .filter(({ arrivedAt, editedAt }) => arrivedAt <= world.now && world.now < editedAt)
  const changes = [...arrived, ...mistaken].toSorted((one, other) => one.startedAt - other.startedAt)
  return changes.map((change, index) => ({ change, endedAt: changes[index + 1]?.startedAt ?? null }))
}

export const hosLogs = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet.world
    .drivers()
    .flatMap(({ number }) => timedStatusesOf(fleet, number))
    .filter(({ change }) => from <= change.startedAt && change.startedAt < to)
    .map((lasting) => toHosLog(fleet, lasting))

const toHosLog = (fleet: Fleet, { change, endedAt }: TimedStatus) => ({
  sourceId: 'editedAt' in change ? mistakeId(change) : dutyId(change),
  status: statuses[change.duty],
  driverSourceId: userId(change.driver),
  vehicleSourceId: change.vehicle === null ? null : deviceId(change.vehicle),
  codriverSourceIds: change.codriver === null ? [] : [userId(change.codriver)],
  startedAt: change.startedAt,
  endedAt,
  location: change.place && !hasInvalidPosition(fleet, change.number) ? pointOf(change.place) : null,
  remarks:
    change.remark === null
      ? []
      : [{ notes: change.remark, sourceId: annotationId(change), submittedAt: change.startedAt }],
})

const sumNames: Readonly<Record<Duty, string>> = {
  off: 'offDutyMilliseconds',
  sleeper: 'sleeperBedMilliseconds',
  driving: 'drivingMilliseconds',
  on: 'onDutyMilliseconds',
  yard: 'yardMoveMilliseconds',
  personal: 'personalConveyanceMilliseconds',
  waiting: 'waitingMilliseconds',
}

/** Returns the days of each driver that begin in the period. The current status counts until now. */
export const hosDailyLogs = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet.world.drivers().flatMap(({ number }) => daysOf(fleet, number, from, to))

function daysOf(fleet: Fleet, driver: number, from: Ms, to: Ms) {
  const { timeZone, world } = fleet
  const days = new Map<string, Record<string, number>>()
  for (const { change, endedAt } of timedStatusesOf(fleet, driver)) {
    const end = endedAt ?? Math.max(change.startedAt, world.now)
    for (let at = change.startedAt; at < end;) {
      const date = localDate(at, timeZone)
      const until = Math.min(end, startOfDate(dateAfter(date), timeZone))
      const day = days.get(date) ?? Object.fromEntries(Object.values(sumNames).map((sum) => [sum, 0]))
      day[sumNames[change.duty]] = (day[sumNames[change.duty]] as number) + until - at
      days.set(date, day)
      at = until
    }
  }
  return [...days]
    .filter(([date]) => from <= startOfDate(date, timeZone) && startOfDate(date, timeZone) < to)
    .map(([date, day]) => ({
      sourceId: `${userId(driver)}:${date}`,
      driverSourceId: userId(driver),
      date,
      ...day,
      ...noDistances,
    }))
}

const noDistances = {
  totalKilometers: null,
  drivingKilometers: null,
  personalConveyanceKilometers: null,
  yardMoveKilometers: null,
}

export const hosAvailableTimes = (fleet: Fleet) =>
  driversWithHours(fleet).map((driver) => {
    const clocks = fleet.world.clocks(driver)
    return {
      driverSourceId: userId(driver),
      currentStatus: statuses[timedStatusesOf(fleet, driver).at(-1)?.change.duty ?? clocks.duty],
      cycleMilliseconds: clocks.cycleMilliseconds,
      shiftMilliseconds: clocks.shiftMilliseconds,
      driveMilliseconds: clocks.driveMilliseconds,
      breakMilliseconds: clocks.breakMilliseconds,
    }
  })
