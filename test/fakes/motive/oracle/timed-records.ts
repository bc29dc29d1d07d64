import type { Fault, Place, SafetyEvent, Trip } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { id } from '../ids.ts'
import { hasNoPosition } from '../places/fixes.ts'
import { endKilometers, hasOdometer, startKilometers } from '../records/driving-periods.ts'
import { hasVideo, isSpeeding, hasUnknownEventType, eventTypeOf } from '../records/events.ts'
import { faultsOf, isOnOtherNetwork, lastObserved, statusOf } from '../records/fault-codes.ts'
import { accelerationOf, speedsOf } from '../records/performance-events.ts'
import { secondOf, toBearing, toDegrees, toEventSpeed } from '../formats.ts'
import { type NormalizedRecord, kilometersOf } from './conversions.ts'

const pointOf = (request: FakeRequest, { latitude, longitude }: Place, at: number) =>
  hasNoPosition(request, at) ? null : { longitude: toDegrees(longitude), latitude: toDegrees(latitude) }

const vehicleOf = ({ vehicle }: { vehicle: number }): string => String(id('vehicle', vehicle))

const driverOf = ({ driver }: { driver: number | null }): string | null =>
  driver === null ? null : String(id('user', driver))

const beganIn = (from: number, to: number) => (timedRecords: { startedAt: number }) =>
  timedRecords.startedAt >= from && timedRecords.startedAt < to

/** Returns the driving periods that have ended. A running one is no trip yet. */
export const trips = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  request.company
    .trips()
    .filter(beganIn(from, to))
    .flatMap((trip) => (trip.endedAt === null ? [] : [toTrip(request, trip, trip.endedAt)]))

function toTrip(request: FakeRequest, trip: Trip, endedAt: number): NormalizedRecord {
  const [startsAt, endsAt] = [secondOf(trip.startedAt), secondOf(endedAt)]
  const hasEnds = request.is('drivingEnds', 'sent')
  return {
    sourceId: String(trip.number),
    vehicleSourceId: vehicleOf(trip),
    driverSourceId: driverOf(trip),
    startedAt: startsAt,
    endedAt: endsAt,
    startLocation: hasEnds ? pointOf(request, trip.start, trip.startedAt) : null,
    endLocation: hasEnds ? pointOf(request, trip.end, endedAt) : null,
    distanceKilometers: hasOdometer(request, trip)
      ? kilometersOf(endKilometers(request, trip) - startKilometers(request, trip), true)
      : null,
    durationMilliseconds: endsAt - startsAt,
  }
}

/** Returns performance and speeding events, whose ids can be equal. Events of unknown types give no record. */
export const safetyEvents = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  request.company
    .safetyEvents()
    .filter(beganIn(from, to))
    .filter((event) => !hasUnknownEventType(request, event))
    .map((event) => ({
      ...toEvent(request, event),
      ...(isSpeeding(event) ? toSpeeding(request, event) : toHarsh(request, event)),
    }))

const toEvent = (request: FakeRequest, event: SafetyEvent): NormalizedRecord => ({
  type: event.kind,
  vehicleSourceId: vehicleOf(event),
  driverSourceId: driverOf(event),
  startedAt: secondOf(event.startedAt),
  endedAt: secondOf(event.endedAt),
  startLocation: pointOf(request, event.start, event.startedAt),
  rearCamera: null,
  extensions: null,
})

const toSpeeding = (request: FakeRequest, event: SafetyEvent): NormalizedRecord => ({
  sourceId: `speeding:${event.number}`,
  endLocation: pointOf(request, event.end, event.endedAt),
  sourceType: 'posted',
  maximumSpeedKph: toEventSpeed(event.maxMetersPerSecond),
  averageSpeedKph: toEventSpeed(event.averageMetersPerSecond),
  roadSpeedLimitKph: toEventSpeed(event.limitMetersPerSecond ?? 0),
  gForceForwardBackward: null,
  gForceSideToSide: null,
  headingDegrees: null,
  frontCamera: null,
})

function toHarsh(request: FakeRequest, event: SafetyEvent): NormalizedRecord {
  const speeds = speedsOf(event)
  const isTurn = event.kind === 'harsh_turn'
  const reported = accelerationOf(request, event)
  const force = event.kind === 'harsh_brake' ? -Math.abs(reported) : reported
  return {
    sourceId: String(event.number),
    endLocation: null,
    sourceType: eventTypeOf(request, event),
    maximumSpeedKph: Math.max(...speeds),
    averageSpeedKph: speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length,
    roadSpeedLimitKph: null,
    gForceForwardBackward: isTurn ? null : force,
    gForceSideToSide: isTurn ? force : null,
    headingDegrees: toBearing(event.headingDegrees),
    frontCamera: hasVideo(request, event) ? { sourceId: String(event.number), available: true } : null,
  }
}

/** Returns the faults that were first observed in the period. */
export const faults = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  faultsOf(request)
    .filter((fault) => fault.openedAt >= from && fault.openedAt < to && !isOnOtherNetwork(request, fault))
    .map((fault) => toFault(request, fault))

function toFault(request: FakeRequest, fault: Fault): NormalizedRecord {
  const { code } = fault
  const reported = {
    sourceId: String(fault.number),
    vehicleSourceId: vehicleOf(fault),
    status: statusOf(fault),
    code: code.protocol === 'obdii' ? code.dtc : `SPN${code.spn}-FMI${code.fmi}`,
    description: fault.description,
    observedAt: secondOf(lastObserved(request, fault)),
    milStatus: null,
    protocol: code.protocol,
  }
  if (code.protocol === 'obdii') return reported
  return {
    ...reported,
    spn: code.spn,
    spnDescription: fault.description,
    fmi: code.fmi,
    fmiDescription: null,
    occurrenceCount: 1,
    sourceAddress: code.source,
  }
}
