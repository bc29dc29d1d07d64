import type { Fault, Place, SafetyEvent, Trip } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { id } from '../ids.ts'
import { isNowhere } from '../places/fixes.ts'
import { endKilometers, hasOdometer, startKilometers } from '../records/driving-periods.ts'
import { isFilmed, isSpeeding, isUnknown, wordOf } from '../records/events.ts'
import { faultsOf, isOfOthers, lastObserved, statusOf } from '../records/fault-codes.ts'
import { accelerationOf, speedsOf } from '../records/performance-events.ts'
import { secondOf, toBearing, toDegrees, toEventSpeed } from '../wording.ts'
import { type Draft, kilometersOf } from './words.ts'

/** Null where nobody knew it. */
const pointOf = (asked: Asked, { latitude, longitude }: Place, at: number) =>
  isNowhere(asked, at) ? null : { longitude: toDegrees(longitude), latitude: toDegrees(latitude) }

const vehicleOf = ({ vehicle }: { vehicle: number }): string => String(id('vehicle', vehicle))

const driverOf = ({ driver }: { driver: number | null }): string | null =>
  driver === null ? null : String(id('user', driver))

const beganIn = (from: number, to: number) => (happening: { startedAt: number }) =>
  happening.startedAt >= from && happening.startedAt < to

/** Driving periods that have ended: one that runs is no trip yet. */
export const trips = (asked: Asked, from: number, to: number): Draft[] =>
  asked.company
    .trips()
    .filter(beganIn(from, to))
    .flatMap((trip) => (trip.endedAt === null ? [] : [toTrip(asked, trip, trip.endedAt)]))

function toTrip(asked: Asked, trip: Trip, endedAt: number): Draft {
  const [startsAt, endsAt] = [secondOf(trip.startedAt), secondOf(endedAt)]
  const hasEnds = asked.is('drivingEnds', 'told')
  return {
    sourceId: String(trip.number),
    vehicleSourceId: vehicleOf(trip),
    driverSourceId: driverOf(trip),
    startedAt: startsAt,
    endedAt: endsAt,
    startLocation: hasEnds ? pointOf(asked, trip.start, trip.startedAt) : null,
    endLocation: hasEnds ? pointOf(asked, trip.end, endedAt) : null,
    distanceKilometers: hasOdometer(asked, trip)
      ? kilometersOf(endKilometers(asked, trip) - startKilometers(asked, trip), true)
      : null,
    durationMilliseconds: endsAt - startsAt,
  }
}

/** Of both lists; ids of speeding are of a sequence of their own. Words that nobody knows are left out. */
export const safetyEvents = (asked: Asked, from: number, to: number): Draft[] =>
  asked.company
    .safetyEvents()
    .filter(beganIn(from, to))
    .filter((event) => !isUnknown(asked, event))
    .map((event) => ({
      ...toEvent(asked, event),
      ...(isSpeeding(event) ? toSpeeding(asked, event) : toHarsh(asked, event)),
    }))

const toEvent = (asked: Asked, event: SafetyEvent): Draft => ({
  type: event.kind,
  vehicleSourceId: vehicleOf(event),
  driverSourceId: driverOf(event),
  startedAt: secondOf(event.startedAt),
  endedAt: secondOf(event.endedAt),
  startLocation: pointOf(asked, event.start, event.startedAt),
  rearCamera: null,
  extensions: null,
})

const toSpeeding = (asked: Asked, event: SafetyEvent): Draft => ({
  sourceId: `speeding:${event.number}`,
  endLocation: pointOf(asked, event.end, event.endedAt),
  sourceType: 'posted',
  maximumSpeedKph: toEventSpeed(event.maxMetersPerSecond),
  averageSpeedKph: toEventSpeed(event.averageMetersPerSecond),
  roadSpeedLimitKph: toEventSpeed(event.limitMetersPerSecond ?? 0),
  gForceForwardBackward: null,
  gForceSideToSide: null,
  headingDegrees: null,
  frontCamera: null,
})

function toHarsh(asked: Asked, event: SafetyEvent): Draft {
  const speeds = speedsOf(event)
  const isTurn = event.kind === 'harsh_turn'
  const told = accelerationOf(asked, event)
  const force = event.kind === 'harsh_brake' ? -Math.abs(told) : told
  return {
    sourceId: String(event.number),
    endLocation: null,
    sourceType: wordOf(asked, event),
    maximumSpeedKph: Math.max(...speeds),
    averageSpeedKph: speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length,
    roadSpeedLimitKph: null,
    gForceForwardBackward: isTurn ? null : force,
    gForceSideToSide: isTurn ? force : null,
    headingDegrees: toBearing(event.headingDegrees),
    frontCamera: isFilmed(asked, event) ? { sourceId: String(event.number), available: true } : null,
  }
}

/** By when they were seen first. */
export const faults = (asked: Asked, from: number, to: number): Draft[] =>
  faultsOf(asked)
    .filter((fault) => fault.openedAt >= from && fault.openedAt < to && !isOfOthers(asked, fault))
    .map((fault) => toFault(asked, fault))

function toFault(asked: Asked, fault: Fault): Draft {
  const { code } = fault
  const told = {
    sourceId: String(fault.number),
    vehicleSourceId: vehicleOf(fault),
    status: statusOf(fault),
    code: code.protocol === 'obdii' ? code.dtc : `SPN${code.spn}-FMI${code.fmi}`,
    description: fault.description,
    observedAt: secondOf(lastObserved(asked, fault)),
    milStatus: null,
    protocol: code.protocol,
  }
  if (code.protocol === 'obdii') return told
  return {
    ...told,
    spn: code.spn,
    spnDescription: fault.description,
    fmi: code.fmi,
    fmiDescription: null,
    occurrenceCount: 1,
    sourceAddress: code.source,
  }
}
