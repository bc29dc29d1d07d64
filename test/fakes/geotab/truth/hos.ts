import type { Duty, DutyChange, Ms } from '../../world/truth.ts'
import { driversWithHours } from '../records/availability.ts'
import { annotationId, dutyId, mistakeAfter, mistakeId } from '../records/duty-status-log.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { isOddPlace } from '../fleet/odd-places.ts'
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

interface Lasting {
  readonly change: DutyChange
  readonly endedAt: Ms | null
}

/** Returns the statuses of a driver; each lasts until the next known one. */
function lastingOf(fleet: Fleet, driver: number): Lasting[] {
  const { world } = fleet
  const own = world.dutyChanges(driver, world.startsAt, world.now + 1)
  const mistaken = own
    .flatMap((change) => mistakeAfter(fleet, change) ?? [])
    .filter(({ arrivedAt, editedAt }) => arrivedAt <= world.now && world.now < editedAt)
  const changes = [...own, ...mistaken].toSorted((one, other) => one.startedAt - other.startedAt)
  return changes.map((change, index) => ({ change, endedAt: changes[index + 1]?.startedAt ?? null }))
}

export const hosLogs = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet.world
    .drivers()
    .flatMap(({ number }) => lastingOf(fleet, number))
    .filter(({ change }) => from <= change.startedAt && change.startedAt < to)
    .map((lasting) => toHosLog(fleet, lasting))

const toHosLog = (fleet: Fleet, { change, endedAt }: Lasting) => ({
  sourceId: 'editedAt' in change ? mistakeId(change) : dutyId(change),
  status: statuses[change.duty],
  driverSourceId: userId(change.driver),
  vehicleSourceId: change.vehicle === null ? null : deviceId(change.vehicle),
  codriverSourceIds: change.codriver === null ? [] : [userId(change.codriver)],
  startedAt: change.startedAt,
  endedAt,
  location: change.place && !isOddPlace(fleet, change.number) ? pointOf(change.place) : null,
  remarks:
    change.remark === null
      ? []
      : [{ notes: change.remark, sourceId: annotationId(change), submittedAt: change.startedAt }],
})

const sums: Readonly<Record<Duty, string>> = {
  off: 'offDutyMilliseconds',
  sleeper: 'sleeperBedMilliseconds',
  driving: 'drivingMilliseconds',
  on: 'onDutyMilliseconds',
  yard: 'yardMoveMilliseconds',
  personal: 'personalConveyanceMilliseconds',
  waiting: 'waitingMilliseconds',
}

/** Days in the fleet's time zone that begin in the period, by driver; the current status counts up to now. */
export const hosDailyLogs = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet.world.drivers().flatMap(({ number }) => daysOf(fleet, number, from, to))

function daysOf(fleet: Fleet, driver: number, from: Ms, to: Ms) {
  const { timeZone, world } = fleet
  const days = new Map<string, Record<string, number>>()
  for (const { change, endedAt } of lastingOf(fleet, driver)) {
    const end = endedAt ?? Math.max(change.startedAt, world.now)
    for (let at = change.startedAt; at < end;) {
      const date = localDate(at, timeZone)
      const until = Math.min(end, startOfDate(dateAfter(date), timeZone))
      const day = days.get(date) ?? Object.fromEntries(Object.values(sums).map((sum) => [sum, 0]))
      day[sums[change.duty]] = (day[sums[change.duty]] as number) + until - at
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
      currentStatus: statuses[lastingOf(fleet, driver).at(-1)?.change.duty ?? clocks.duty],
      cycleMilliseconds: clocks.cycleMilliseconds,
      shiftMilliseconds: clocks.shiftMilliseconds,
      driveMilliseconds: clocks.driveMilliseconds,
      breakMilliseconds: clocks.breakMilliseconds,
    }
  })
