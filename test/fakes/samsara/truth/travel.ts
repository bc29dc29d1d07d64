import type { Place, SafetyEvent, Trip } from '../../world/truth.ts'
import type { FakeRequest } from '../http/call.ts'
import { id, safetyId } from '../ids.ts'
import { camerasOf } from '../records/media.ts'
import { metersOf } from '../records/old-trips.ts'
import { gForceOf, labelOf } from '../records/safety.ts'
import { hasInvalidPosition } from '../stats/types.ts'
import { toHeading, toKilometersPerHour } from '../formats.ts'
import { keyOf, toKilometers, toPoint, type NormalizedRecord } from './conversions.ts'

/** Returns the trips that have ended. A running trip gives no record. */
export const trips = (
  { organization, switches }: FakeRequest,
  from: number,
  to: number,
): NormalizedRecord[] =>
  organization
    .vehicles()
    .flatMap(({ number }) => organization.tripsOf(number))
    .filter(({ startedAt }) => startedAt >= from && startedAt < to)
    .flatMap((trip) => toTrip(trip, switches))

const placeOf = (place: Place, at: number, switches: FakeRequest['switches']) =>
  hasInvalidPosition({ at }, switches) ? null : toPoint(place)

function toTrip(trip: Trip, switches: FakeRequest['switches']): NormalizedRecord[] {
  if (trip.endedAt === null) return []
  const vehicle = id('vehicle', trip.vehicle)
  return [
    {
      sourceId: keyOf(vehicle, trip.startedAt),
      vehicleSourceId: vehicle,
      driverSourceId: trip.driver === null ? null : id('driver', trip.driver),
      startedAt: trip.startedAt,
      endedAt: trip.endedAt,
      startLocation: placeOf(trip.start, trip.startedAt, switches),
      endLocation: placeOf(trip.end, trip.endedAt, switches),
      distanceKilometers: toKilometers(metersOf(trip)),
      durationMilliseconds: trip.endedAt - trip.startedAt,
    },
  ]
}

export const safetyEvents = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  request.organization
    .vehicles()
    .flatMap(({ number }) => request.organization.safetyEventsOf(number))
    .filter(({ startedAt }) => startedAt >= from && startedAt < to)
    .filter((event) => !isUnknown(request, event))
    .map((event) => toSafetyEvent(request, event))

/** Whether an event has an unknown label, so that it gives no record. */
const isUnknown = ({ switches }: FakeRequest, event: SafetyEvent): boolean =>
  labelOf(event, switches.unknownLabels === 'yes') !== labelOf(event, false)

function toSafetyEvent({ switches }: FakeRequest, event: SafetyEvent): NormalizedRecord {
  const limit = event.limitMetersPerSecond
  const cameras = camerasOf(event)
  const film = (input: 'dashcamRoadFacing' | 'dashcamDriverFacing') =>
    cameras.includes(input) ? { sourceId: null, available: true } : null
  return {
    sourceId: safetyId(event.number),
    type: event.kind,
    vehicleSourceId: id('vehicle', event.vehicle),
    driverSourceId: event.driver === null ? null : id('driver', event.driver),
    startedAt: event.startedAt,
    endedAt: event.endedAt,
    startLocation: placeOf(event.start, event.startedAt, switches),
    endLocation: null,
    sourceType: labelOf(event, switches.unknownLabels === 'yes'),
    maximumSpeedKph: limit === null ? null : Math.round(toKilometersPerHour(event.maxMetersPerSecond)),
    averageSpeedKph: null,
    roadSpeedLimitKph: limit === null ? null : Math.round(toKilometersPerHour(limit)),
    gForceForwardBackward: limit === null && event.kind !== 'harsh_turn' ? gForceOf(event) : null,
    gForceSideToSide: event.kind === 'harsh_turn' ? gForceOf(event) : null,
    headingDegrees: toHeading(event.headingDegrees),
    frontCamera: film('dashcamRoadFacing'),
    rearCamera: film('dashcamDriverFacing'),
    extensions: null,
  }
}
