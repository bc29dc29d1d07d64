import type { Driver, Duty, DutyChange, Trip } from '../../world/truth.ts'
import { badRequest, listed, oneOf, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import type { Organization } from '../organization.ts'
import { pageOf } from '../http/pages.ts'
import { nameOf } from '../roster/drivers.ts'
import { MILLISECONDS_PER_DAY, toTime } from '../formats.ts'
import { dateAfter, dateAt, dayOf, type Day } from '../zone.ts'
import { dutiesOf } from './hos-logs.ts'

export interface DailyLog {
  readonly driver: Driver
  readonly day: Day
  readonly milliseconds: Readonly<Record<Duty, number>>
  /** Distance of the trips that began on the day, by the duty status at their start. */
  readonly meters: Readonly<Record<'driving' | 'personal' | 'yard', number>>
}

/** Returns the daily logs of a driver, for the dates on which the driver has a duty status. */
export function dailyLogsOf(
  organization: Organization,
  driver: Driver,
  dates: readonly string[],
): DailyLog[] {
  const duties = organization.cached(`duties ${driver.number}`, () => dutiesOf(organization, driver.number))
  const trips = organization.tripsByDriver().get(driver.number) ?? []
  const first = duties[0]?.startedAt ?? Infinity
  return dates
    .map((date) => dayOf(organization.world.account.timeZone, date))
    .filter((day) => day.to > first && day.from <= organization.now)
    .map((day) => {
      const milliseconds = { off: 0, sleeper: 0, driving: 0, on: 0, yard: 0, personal: 0, waiting: 0 }
      for (const { duty, startedAt, endedAt } of duties) {
        const until = Math.min(endedAt ?? organization.now, day.to)
        milliseconds[duty] += Math.max(0, until - Math.max(startedAt, day.from))
      }
      const driven = trips.filter(({ startedAt }) => startedAt >= day.from && startedAt < day.to)
      return { driver, day, milliseconds, meters: metersBy(duties, driven) }
    })
}

function metersBy(duties: readonly DutyChange[], trips: readonly Trip[]): DailyLog['meters'] {
  const dutyAt = (at: number) => duties.findLast(({ startedAt }) => startedAt <= at)?.duty
  const sum = (isOf: (duty: Duty | undefined) => boolean) =>
    Math.round(trips.reduce((all, trip) => all + (isOf(dutyAt(trip.startedAt)) ? trip.meters : 0), 0))
  return {
    driving: sum((duty) => duty !== 'personal' && duty !== 'yard'),
    personal: sum((duty) => duty === 'personal'),
    yard: sum((duty) => duty === 'yard'),
  }
}

/** `/fleet/hos/daily-logs`: from one date to another, both inclusive, for active or deactivated drivers. */
export function hosDailyLogs(request: FakeRequest): object {
  const { organization, query, switches } = request
  const today = dateAt(organization.world.account.timeZone, organization.now)
  const endDate = dateIn(query, 'endDate') ?? today
  const startDate = dateIn(query, 'startDate') ?? endDate
  const dates: string[] = []
  for (let date = startDate; date <= endDate; date = dateAfter(date)) dates.push(date)
  const status = oneOf(query, 'driverActivationStatus', ['active', 'deactivated'])
  const logs = organization
    .driversOf(listed(query, 'driverIds'))
    .filter(({ isActive }) => isActive === (status === 'active'))
    .flatMap((driver) => dailyLogsOf(organization, driver, dates))
  const positionOf = ({ driver, day }: DailyLog) => [driver.number, day.from]
  const { items, pagination } = pageOf(request, logs, positionOf, Number(switches.pageSize))
  return { data: items.map((log) => toDailyLog(request, log)), pagination }
}

function dateIn(query: URLSearchParams, name: string): string | null {
  const value = query.get(name)
  if (value !== null && !/^\d{4}-\d\d-\d\d$/.test(value))
    throw badRequest(`Invalid value for parameter ${name}: not a date.`)
  return value
}

function toDailyLog({ organization, switches }: FakeRequest, log: DailyLog): object {
  const { driver, day, milliseconds, meters } = log
  const { name, usdotNumber, timeZone } = organization.world.account
  const certifiedAt = day.to + MILLISECONDS_PER_DAY
  const isCertified = certifiedAt <= organization.now
  return {
    driver: { id: id('driver', driver.number), name: nameOf(driver), timezone: timeZone },
    startTime: toTime(day.from, switches),
    endTime: toTime(day.to, switches),
    dutyStatusDurations: toDurations(milliseconds),
    distanceTraveled: {
      driveDistanceMeters: meters.driving,
      ...toMeters('personalConveyanceDistanceMeters', meters.personal, switches),
      ...toMeters('yardMoveDistanceMeters', meters.yard, switches),
    },
    logMetaData: {
      carrierName: name,
      carrierUsDotNumber: usdotNumber,
      isCertified,
      ...(isCertified && { certifiedAtTime: toTime(certifiedAt, switches) }),
    },
  }
}

const toMeters = (name: string, meters: number, { noDistance }: FakeRequest['switches']) =>
  meters === 0 && noDistance === 'omitted' ? {} : { [name]: meters }

const toDurations = (milliseconds: DailyLog['milliseconds']) => ({
  activeDurationMs: milliseconds.driving + milliseconds.on + milliseconds.yard + milliseconds.waiting,
  driveDurationMs: milliseconds.driving,
  onDutyDurationMs: milliseconds.on,
  offDutyDurationMs: milliseconds.off,
  sleeperBerthDurationMs: milliseconds.sleeper,
  personalConveyanceDurationMs: milliseconds.personal,
  yardMoveDurationMs: milliseconds.yard,
  waitingTimeDurationMs: milliseconds.waiting,
})
