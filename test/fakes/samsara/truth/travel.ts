import type { Place, SafetyEvent, Trip } from '../../world/truth.ts'
import type { Asked } from '../call.ts'
import { id, safetyId } from '../ids.ts'
import { camerasOf } from '../records/media.ts'
import { metersOf } from '../records/old-trips.ts'
import { gForceOf, labelOf } from '../records/safety.ts'
import { isBad } from '../stats/types.ts'
import { toHeading, toKilometersPerHour } from '../wording.ts'
import { keyOf, toKilometers, toPoint, type Draft } from './drafts.ts'

/** Trips that have ended: a draft of one that runs there is not. */
export const trips = ({ organization, switches }: Asked, from: number, to: number): Draft[] =>
  organization
    .vehicles()
    .flatMap(({ number }) => organization.tripsOf(number))
    .filter(({ startedAt }) => startedAt >= from && startedAt < to)
    .flatMap((trip) => toTrip(trip, switches))

/** A place that cannot be is none. */
const placeOf = (place: Place, at: number, switches: Asked['switches']) =>
  isBad({ at }, switches) ? null : toPoint(place)

function toTrip(trip: Trip, switches: Asked['switches']): Draft[] {
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

export const safetyEvents = (asked: Asked, from: number, to: number): Draft[] =>
  asked.organization
    .vehicles()
    .flatMap(({ number }) => asked.organization.safetyEventsOf(number))
    .filter(({ startedAt }) => startedAt >= from && startedAt < to)
    .filter((event) => !isUnknown(asked, event))
    .map((event) => toSafetyEvent(asked, event))

/** A word that nobody knows is nothing that could be told. */
const isUnknown = ({ switches }: Asked, event: SafetyEvent): boolean =>
  labelOf(event, switches.unknownLabels === 'yes') !== labelOf(event, false)

function toSafetyEvent({ switches }: Asked, event: SafetyEvent): Draft {
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
