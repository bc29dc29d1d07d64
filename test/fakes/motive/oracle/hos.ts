import type { Duty } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { isMetricDriver } from '../company.ts'
import { id } from '../ids.ts'
import { datedLogs, type LogDay, logDayOf, type DutyPart } from '../records/days.ts'
import { sentDutyOf } from '../records/duties.ts'
import { toDurations } from '../records/logs.ts'
import { secondOf, toDistance, toSeconds } from '../formats.ts'
import { type NormalizedRecord, kilometersOf, millisecondsOf } from './conversions.ts'

const statuses: Readonly<Record<Duty, string>> = {
  off: 'off_duty',
  sleeper: 'sleeper_bed',
  driving: 'driving',
  on: 'on_duty',
  yard: 'yard_move',
  personal: 'personal_conveyance',
  waiting: 'waiting_time',
}

/** Returns the events of logs that began in the period. They end with the day, as in the logs. */
export const logs = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  daysIn(request, from, to).flatMap((log) =>
    log.parts.filter((part) => part.from >= from && part.from < to).map((part) => toLog(request, log, part)),
  )

/** A log has one list of vehicles for all events. So the vehicle of an event is known only if there is one. */
function toLog(
  request: FakeRequest,
  log: LogDay,
  { id: number, change, from, to }: DutyPart,
): NormalizedRecord {
  const { vehicles } = log
  return {
    sourceId: String(number),
    status: statuses[sentDutyOf(request, change.duty)],
    driverSourceId: String(id('user', log.driver.number)),
    vehicleSourceId: vehicles.length === 1 ? String(id('vehicle', vehicles[0] as number)) : null,
    codriverSourceIds: [],
    startedAt: secondOf(from),
    endedAt: to === null ? null : secondOf(to),
    location: null,
    remarks: remarksOf(request, log, change),
  }
}

function remarksOf(
  request: FakeRequest,
  { day }: LogDay,
  { number, startedAt, remark }: DutyPart['change'],
): object[] {
  if (remark === null) return []
  if (request.is('notes', 'in_events')) return [{ notes: remark, sourceId: null, submittedAt: null }]
  if (startedAt < day.from) return []
  return [{ notes: remark, sourceId: String(number), submittedAt: secondOf(startedAt) }]
}

/** Returns the days of drivers that begin in the period. */
export const dailyLogs = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  daysIn(request, from, to)
    .filter(({ day }) => day.from >= from && day.from < to)
    .map((log) => {
      const isMetric = isMetricDriver(log.driver.number)
      const sent = toDurations(log)
      return {
        sourceId: String(log.id),
        driverSourceId: String(id('user', log.driver.number)),
        date: log.day.date,
        onDutyMilliseconds: millisecondsOf(sent.on_duty_duration),
        offDutyMilliseconds: millisecondsOf(sent.off_duty_duration),
        drivingMilliseconds: millisecondsOf(sent.driving_duration),
        waitingMilliseconds: millisecondsOf(sent.waiting_duration),
        sleeperBedMilliseconds: millisecondsOf(sent.sleeper_duration),
        personalConveyanceMilliseconds: null,
        yardMoveMilliseconds: null,
        totalKilometers: kilometersOf(toDistance(log.meters, isMetric), isMetric),
        drivingKilometers: null,
        personalConveyanceKilometers: null,
        yardMoveKilometers: null,
      }
    })

function daysIn(request: FakeRequest, from: number, to: number): LogDay[] {
  const { zone } = request.company
  const days = zone.days(zone.dateAt(from), zone.dateAt(to - 1))
  return datedLogs(request, days).map((dated) => logDayOf(request, dated))
}

export const availableTimes = (request: FakeRequest): NormalizedRecord[] =>
  request.company
    .drivers()
    .filter(({ isActive }) => isActive)
    .map(({ number }) => {
      const clocks = request.company.world.clocks(number)
      const sent = (milliseconds: number) => millisecondsOf(toSeconds(milliseconds))
      const hasStatus = request.is('dutyBesideTime', 'sent')
      return {
        driverSourceId: String(id('user', number)),
        currentStatus: hasStatus ? statuses[sentDutyOf(request, clocks.duty)] : null,
        cycleMilliseconds: sent(clocks.cycleMilliseconds),
        shiftMilliseconds: sent(clocks.shiftMilliseconds),
        driveMilliseconds: sent(clocks.driveMilliseconds),
        breakMilliseconds: sent(clocks.breakMilliseconds),
      }
    })
