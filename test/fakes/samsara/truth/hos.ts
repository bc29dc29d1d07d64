import type { Duty } from '../../world/truth.ts'
import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { isOffline } from '../records/clocks.ts'
import { dailyLogsOf } from '../records/daily-logs.ts'
import { dutiesOf, hosStatusTypeOf, hosStatusTypes } from '../records/hos-logs.ts'
import { daysIn } from '../zone.ts'
import { keyOf, toKilometers, toPoint, type NormalizedRecord } from './conversions.ts'

/** Samsara has no status for waiting. */
const statuses: Readonly<Record<Duty, string>> = {
  off: 'off_duty',
  sleeper: 'sleeper_bed',
  driving: 'driving',
  on: 'on_duty',
  yard: 'yard_move',
  personal: 'personal_conveyance',
  waiting: 'on_duty',
}

/** Returns the logs, except those with an unknown status. */
export const hosLogs = (
  { organization, switches }: FakeRequest,
  from: number,
  to: number,
): NormalizedRecord[] =>
  organization.drivers().flatMap(({ number }) =>
    dutiesOf(organization, number)
      .filter(({ startedAt }) => startedAt >= from && startedAt < to)
      .filter((duty) => hosStatusTypeOf(duty, switches) === hosStatusTypes[duty.duty])
      .map((duty) => ({
        sourceId: keyOf(id('driver', number), duty.startedAt),
        status: statuses[duty.duty],
        driverSourceId: id('driver', number),
        vehicleSourceId: duty.vehicle === null ? null : id('vehicle', duty.vehicle),
        codriverSourceIds: duty.codriver === null ? [] : [id('driver', duty.codriver)],
        startedAt: duty.startedAt,
        endedAt: duty.endedAt,
        location: duty.place && toPoint(duty.place),
        remarks: duty.remark === null ? [] : [{ notes: duty.remark, sourceId: null, submittedAt: null }],
      })),
  )

/** Returns the daily logs of the days that begin in the period. */
export function hosDailyLogs(
  { organization, switches }: FakeRequest,
  from: number,
  to: number,
): NormalizedRecord[] {
  const dates = daysIn(organization.world.account.timeZone, from, to).map(({ date }) => date)
  return organization
    .drivers()
    .flatMap((driver) => dailyLogsOf(organization, driver, dates))
    .map(({ driver, day, milliseconds, meters }) => ({
      sourceId: `${id('driver', driver.number)}:${day.date}`,
      driverSourceId: id('driver', driver.number),
      date: day.date,
      onDutyMilliseconds: milliseconds.on,
      offDutyMilliseconds: milliseconds.off,
      drivingMilliseconds: milliseconds.driving,
      waitingMilliseconds: milliseconds.waiting,
      sleeperBedMilliseconds: milliseconds.sleeper,
      personalConveyanceMilliseconds: milliseconds.personal,
      yardMoveMilliseconds: milliseconds.yard,
      totalKilometers: null,
      drivingKilometers: toKilometers(meters.driving),
      personalConveyanceKilometers: distanceOrNull(meters.personal, switches),
      yardMoveKilometers: distanceOrNull(meters.yard, switches),
    }))
}

const distanceOrNull = (meters: number, { noDistance }: FakeRequest['switches']): number | null =>
  meters === 0 && noDistance === 'omitted' ? null : toKilometers(meters)

export const hosAvailableTimes = ({ organization, switches }: FakeRequest): NormalizedRecord[] =>
  organization
    .drivers()
    .filter(({ isActive }) => isActive)
    .map(({ number }) => {
      const clocks = organization.world.clocks(number)
      return {
        driverSourceId: id('driver', number),
        currentStatus: isOffline(number, switches.appOffline === 'yes') ? null : statuses[clocks.duty],
        cycleMilliseconds: clocks.cycleMilliseconds,
        shiftMilliseconds: clocks.shiftMilliseconds,
        driveMilliseconds: clocks.driveMilliseconds,
        breakMilliseconds: clocks.breakMilliseconds,
      }
    })
