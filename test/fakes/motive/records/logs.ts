import type { FakeRequest } from '../fake-request.ts'
import { isMetricDriver } from '../company.ts'
import { pageOf } from '../pages.ts'
import { describe } from '../places/fixes.ts'
import { toDriverSummary, toVehicleSummary } from '../roster/people.ts'
import { toDistance, toSeconds, toTime, toZoneName } from '../formats.ts'
import { datedLogs, type LogDay, logDayOf, type DutyPart } from './days.ts'
import { dutyTypeOf } from './duties.ts'

const SIGNED_AFTER = 86_400_000

/** `/v1/logs`: one log for each driver and day. */
export const listLogs = (request: FakeRequest): object =>
  pageOf(request, { list: 'logs', item: 'log' }, datedLogs(request), (dated) =>
    toLog(request, logDayOf(request, dated)),
  )

/** `/v1/hours_of_service`: the same days, only with sums. */
export const listHoursOfService = (request: FakeRequest): object =>
  pageOf(request, { list: 'hours_of_services', item: 'hours_of_service' }, datedLogs(request), (dated) => {
    const log = logDayOf(request, dated)
    return {
      id: log.id,
      date: log.day.date,
      ...toDurations(log),
      driver: toDriverSummary(log.driver),
    }
  })

export const toDurations = ({ milliseconds }: LogDay) => ({
  off_duty_duration: toSeconds(milliseconds.off),
  on_duty_duration: toSeconds(milliseconds.on),
  sleeper_duration: toSeconds(milliseconds.sleeper),
  driving_duration: toSeconds(milliseconds.driving),
  waiting_duration: toSeconds(milliseconds.waiting),
})

function toLog(request: FakeRequest, log: LogDay): object {
  const { company } = request
  const isMetric = request.isMetric(isMetricDriver(log.driver.number))
  const signedAt = log.day.to + SIGNED_AFTER
  const vehicles = log.vehicles.flatMap((number) => company.anyVehicle(number) ?? [])
  return {
    id: log.id,
    date: log.day.date,
    total_miles: toDistance(log.meters, isMetric),
    metric_units: isMetric,
    driver_signed_at: signedAt <= company.now ? toTime(signedAt) : null,
    time_zone: toZoneName(company.world.account.timeZone),
    cycle: '70_8',
    driver_first_name: log.driver.firstName,
    driver_last_name: log.driver.lastName,
    carrier_name: company.world.account.name,
    eld_mode: 'logs',
    co_driver_full_names: codriversOf(request, log),
    ...toDurations(log),
    driver: toDriverSummary(log.driver),
    vehicles: vehicles.map((vehicle) => ({ vehicle: toVehicleSummary(request, vehicle) })),
    remarks: remarksOf(request, log).map((remark) => ({ remark })),
    hos_violations: [],
    events: log.parts.map((part) => ({ event: toEvent(request, part) })),
  }
}

const codriversOf = ({ company }: FakeRequest, { parts }: LogDay): string[] => {
  const drivers = parts.flatMap(({ change }) => company.driver(change.codriver) ?? [])
  return [...new Set(drivers.map(({ firstName, lastName }) => `${firstName} ${lastName}`))]
}

/** Returns the notes of a driver. Depending on a switch they are in the events instead. */
function remarksOf(request: FakeRequest, { day, parts }: LogDay) {
  if (request.is('notes', 'in_events')) return []
  return parts
    .filter(({ change }) => change.remark !== null && change.startedAt >= day.from)
    .map(({ change }) => ({
      id: change.number,
      time: toTime(change.startedAt),
      notes: change.remark,
      location: change.place && describe(change.place),
    }))
}

const toEvent = (request: FakeRequest, { id, change, from, to }: DutyPart) => ({
  id,
  type: dutyTypeOf(request, change.duty),
  notes: request.is('notes', 'in_events') ? change.remark : null,
  location: change.place && describe(change.place),
  start_time: toTime(from),
  end_time: to === null ? null : toTime(to),
})
