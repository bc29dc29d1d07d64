import type { Ms, SafetyEvent, Trip } from '../../world/truth.ts'
import { isRemovedEvent } from '../fleet/event-states.ts'
import { exceptionId, isUnbelted, unbeltedId } from '../records/exception-event.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { isFilmed, mediaId } from '../records/media-file.ts'
import { ruleNames, ruleOf, SEAT_BELT_RULE } from '../records/rules.ts'
import { stopOf, tripsOf } from '../records/trip.ts'
import { deviceId } from '../formats.ts'
import { driverOf, pointOf } from './trips.ts'

/** Events of safety rules only. Their positions are those of the device at the same times. */
export const safetyEvents = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet.vehicleNumbers().flatMap((vehicle) => [
    ...fleet.world
      .safetyEvents(vehicle, from, to)
      .filter((event) => !isRemovedEvent(fleet, event))
      .map((event) => toSafetyEvent(fleet, event)),
    ...tripsOf(fleet, vehicle, from, to)
      .filter(({ trip }) => isUnbelted(fleet, trip) && from <= trip.startedAt)
      .map(({ trip }) => toSeatBeltEvent(trip)),
  ])

function toSeatBeltEvent(trip: Trip) {
  return {
    ...untold,
    sourceId: unbeltedId(trip),
    type: 'seat_belt_violation',
    vehicleSourceId: deviceId(trip.vehicle),
    driverSourceId: driverOf(trip.driver),
    startedAt: trip.startedAt,
    endedAt: stopOf(trip),
    startLocation: pointOf(trip.start),
    endLocation: pointOf(trip.end),
    sourceType: ruleNames[SEAT_BELT_RULE],
    maximumSpeedKph: null,
    roadSpeedLimitKph: null,
    frontCamera: null,
  }
}

const untold = {
  averageSpeedKph: null,
  gForceForwardBackward: null,
  gForceSideToSide: null,
  headingDegrees: null,
  rearCamera: null,
  extensions: null,
}

function toSafetyEvent(fleet: Fleet, event: SafetyEvent) {
  const limit = fleet.switches.speedingDetails === 'present' ? event.limitMetersPerSecond : null
  return {
    ...untold,
    sourceId: exceptionId(event),
    type: event.kind,
    vehicleSourceId: deviceId(event.vehicle),
    driverSourceId: driverOf(event.driver),
    startedAt: event.startedAt,
    endedAt: event.endedAt,
    startLocation: pointOf(event.start),
    endLocation: pointOf(event.end),
    sourceType: ruleNames[ruleOf[event.kind]],
    maximumSpeedKph: limit === null ? null : event.maxMetersPerSecond * 3.6,
    roadSpeedLimitKph: limit === null ? null : limit * 3.6,
    frontCamera: isFilmed(fleet, event) ? { sourceId: mediaId(event), available: true } : null,
  }
}
