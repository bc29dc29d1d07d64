import type { Duty } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { isMetricDriver } from '../company.ts'
import { id } from '../ids.ts'
import { datedLogs, type LogDay, logDayOf, type Piece } from '../records/days.ts'
import { dutyTold } from '../records/duties.ts'
import { toDurations } from '../records/logs.ts'
import { secondOf, toDistance, toSeconds } from '../wording.ts'
import { type Draft, kilometersOf, millisecondsOf } from './words.ts'

const statuses: Readonly<Record<Duty, string>> = {
  off: 'off_duty',
  sleeper: 'sleeper_bed',
  driving: 'driving',
  on: 'on_duty',
  yard: 'yard_move',
  personal: 'personal_conveyance',
  waiting: 'waiting_time',
}

/** The events of logs that began in the time, cut at the ends of days where the logs cut them. */
export const logs = (asked: Asked, from: number, to: number): Draft[] =>
  daysIn(asked, from, to).flatMap((log) =>
    log.pieces
      .filter((piece) => piece.from >= from && piece.from < to)
      .map((piece) => toLog(asked, log, piece)),
  )

/** A log tells its vehicles, not which of them an event was in: one alone is certain. */
function toLog(asked: Asked, log: LogDay, { id: number, change, from, to }: Piece): Draft {
  const { vehicles } = log
  return {
    sourceId: String(number),
    status: statuses[dutyTold(asked, change.duty)],
    driverSourceId: String(id('user', log.driver.number)),
    vehicleSourceId: vehicles.length === 1 ? String(id('vehicle', vehicles[0] as number)) : null,
    codriverSourceIds: [],
    startedAt: secondOf(from),
    endedAt: to === null ? null : secondOf(to),
    location: null,
    remarks: remarksOf(asked, log, change),
  }
}

function remarksOf(asked: Asked, { day }: LogDay, { number, startedAt, remark }: Piece['change']): object[] {
  if (remark === null) return []
  if (asked.is('notes', 'in_events')) return [{ notes: remark, sourceId: null, submittedAt: null }]
  if (startedAt < day.from) return []
  return [{ notes: remark, sourceId: String(number), submittedAt: secondOf(startedAt) }]
}

/** Days of the driver's zone that begin in the time. */
export const dailyLogs = (asked: Asked, from: number, to: number): Draft[] =>
  daysIn(asked, from, to)
    .filter(({ day }) => day.from >= from && day.from < to)
    .map((log) => {
      const isMetric = isMetricDriver(log.driver.number)
      const told = toDurations(log)
      return {
        sourceId: String(log.id),
        driverSourceId: String(id('user', log.driver.number)),
        date: log.day.date,
        onDutyMilliseconds: millisecondsOf(told.on_duty_duration),
        offDutyMilliseconds: millisecondsOf(told.off_duty_duration),
        drivingMilliseconds: millisecondsOf(told.driving_duration),
        waitingMilliseconds: millisecondsOf(told.waiting_duration),
        sleeperBedMilliseconds: millisecondsOf(told.sleeper_duration),
        personalConveyanceMilliseconds: null,
        yardMoveMilliseconds: null,
        totalKilometers: kilometersOf(toDistance(log.meters, isMetric), isMetric),
        drivingKilometers: null,
        personalConveyanceKilometers: null,
        yardMoveKilometers: null,
      }
    })

function daysIn(asked: Asked, from: number, to: number): LogDay[] {
  const { zone } = asked.company
  const days = zone.days(zone.dateAt(from), zone.dateAt(to - 1))
  return datedLogs(asked, days).map((dated) => logDayOf(asked, dated))
}

export const availableTimes = (asked: Asked): Draft[] =>
  asked.company
    .drivers()
    .filter(({ isActive }) => isActive)
    .map(({ number }) => {
      const clocks = asked.company.world.clocks(number)
      const told = (milliseconds: number) => millisecondsOf(toSeconds(milliseconds))
      const isTold = asked.is('dutyBesideTime', 'told')
      return {
        driverSourceId: String(id('user', number)),
        currentStatus: isTold ? statuses[dutyTold(asked, clocks.duty)] : null,
        cycleMilliseconds: told(clocks.cycleMilliseconds),
        shiftMilliseconds: told(clocks.shiftMilliseconds),
        driveMilliseconds: told(clocks.driveMilliseconds),
        breakMilliseconds: told(clocks.breakMilliseconds),
      }
    })
