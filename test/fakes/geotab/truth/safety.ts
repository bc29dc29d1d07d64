import type { Ms, SafetyEvent, Trip } from '../../world/truth.ts'
import { isWithdrawn } from '../fleet/event-states.ts'
import { exceptionId, hasSeatBeltEvent, seatBeltEventId } from '../records/exception-event.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { isFilmed, mediaId } from '../records/media-file.ts'
import { ruleNames, ruleOf, SEAT_BELT_RULE } from '../records/rules.ts'
import { stopTimeOf, tripsOf } from '../records/trip.ts'
import { deviceId } from '../formats.ts'
import { driverOf, pointOf } from './trips.ts'

/** Returns the events of safety rules. Their positions are those of the device at the same times. */
export const safetyEvents = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet.vehicleNumbers().flatMap((vehicle) => [
    ...fleet.world
      .safetyEvents(vehicle, from, to)
      .filter((event) => !isWithdrawn(fleet, event))
      .map((event) => toSafetyEvent(fleet, event)),
    ...tripsOf(fleet, vehicle, from, to)
      .filter(({ trip }) => hasSeatBeltEvent(fleet, trip) && from <= trip.startedAt)
      .map(({ trip }) => toSeatBeltEvent(trip)),
  ])

function toSeatBeltEvent(trip: Trip) {
  return {
    ...unreported,
    sourceId: seatBeltEventId(trip),
    type: 'seat_belt_violation',
    vehicleSourceId: deviceId(trip.vehicle),
    driverSourceId: driverOf(trip.driver),
    startedAt: trip.startedAt,
    endedAt: stopTimeOf(trip),
    startLocation: pointOf(trip.start),
    endLocation: pointOf(trip.end),
    sourceType: ruleNames[SEAT_BELT_RULE],
    maximumSpeedKph: null,
    roadSpeedLimitKph: null,
    frontCamera: null,
  }
}

const unreported = {
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
    ...unreported,
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
