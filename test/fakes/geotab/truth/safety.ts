import type { Ms, SafetyEvent } from '../../world/truth.ts'
import { isTakenBack } from '../records/event-states.ts'
import { exceptionId, ruleNames, ruleOf } from '../records/exception-event.ts'
import type { Fleet } from '../records/fleet.ts'
import { isFilmed, mediaId } from '../records/media-file.ts'
import { deviceId } from '../words.ts'
import { driverOf, pointOf } from './trips.ts'

/** Those of rules of safety alone. Their places are where the device was at the very times. */
export const safetyEvents = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet
    .vehicleNumbers()
    .flatMap((vehicle) => fleet.world.safetyEvents(vehicle, from, to))
    .filter((event) => !isTakenBack(fleet, event))
    .map((event) => toSafetyEvent(fleet, event))

function toSafetyEvent(fleet: Fleet, event: SafetyEvent) {
  const limit = fleet.switches.speedingDetails === 'present' ? event.limitMetersPerSecond : null
  return {
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
    averageSpeedKph: null,
    roadSpeedLimitKph: limit === null ? null : limit * 3.6,
    gForceForwardBackward: null,
    gForceSideToSide: null,
    headingDegrees: null,
    frontCamera: isFilmed(fleet, event) ? { sourceId: mediaId(event), available: true } : null,
    rearCamera: null,
    extensions: null,
  }
}
