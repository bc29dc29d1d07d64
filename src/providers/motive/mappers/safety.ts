import type { z } from 'zod'
import type { NormalizedCameraMedia } from '../../../domain/models/camera-media.ts'
import type { NormalizedSafetyEvent, SafetyEventType } from '../../../domain/models/safety-event.ts'
import { ProviderError } from '../../provider-error.ts'
import type * as records from '../schemas/events.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { toHundredths, toPoint } from './conversions.ts'

/** Types of performance events by Motive's name. */
const performanceTypes: Readonly<Record<string, SafetyEventType>> = {
  hard_brake: 'harsh_brake',
  hard_accel: 'harsh_acceleration',
  hard_corner: 'harsh_turn',
  crash: 'crash',
  near_miss: 'near_crash',
  tailgating: 'tailgating',
  cell_phone: 'cell_phone',
  distraction: 'distracted',
  drowsiness: 'drowsiness',
  seat_belt_violation: 'seat_belt_violation',
  stop_sign_violation: 'stop_sign_violation',
  unsafe_lane_change: 'unsafe_lane_change',
  road_facing_cam_obstruction: 'camera_obstruction',
  driver_facing_cam_obstruction: 'camera_obstruction',
}

const types = createEnumMapping<SafetyEventType>('motive', 'SafetyEvent.type', performanceTypes)

/** All types that Motive reports. Speeding events are in a list of their own. */
export const reportedTypes: readonly SafetyEventType[] = [
  ...new Set(Object.values(performanceTypes)),
  'speeding',
]

/** Whether a type has an equivalent. Reports an unknown type on the `unknownEnumValues` channel. */
export const isKnownType = (type: string): boolean => types.orNull(type) !== null

type Event = z.infer<typeof records.performanceEvent>
type Speeding = z.infer<typeof records.speedingEvent>

export function toSafetyEvent({
  speeding_event: speeding,
  driver_performance_event: performance,
}: z.infer<typeof records.safetyEvent>): NormalizedSafetyEvent {
  if (speeding) return toSpeedingEvent(speeding)
  if (performance) return toPerformanceEvent(performance)
  throw new ProviderError('malformed', 'the record is of neither list of events')
}

const sharedFieldsOf = (event: Event | Speeding) => ({
  vehicleSourceId: event.vehicle.id,
  driverSourceId: event.driver,
  startedAt: event.start_time,
  endedAt: event.end_time ?? null,
  extensions: null,
})

/** Maps a speeding event. Its source id has a prefix, because a performance event can have the same number. */
const toSpeedingEvent = (event: Speeding): NormalizedSafetyEvent => ({
  ...sharedFieldsOf(event),
  sourceId: `speeding:${event.id}`,
  type: 'speeding',
  startLocation: toPoint(event.start_lat, event.start_lon),
  endLocation: toPoint(event.end_lat, event.end_lon),
  sourceType: event.type,
  maximumSpeedKph: toHundredths(event.max_vehicle_speed),
  averageSpeedKph: toHundredths(event.avg_vehicle_speed),
  roadSpeedLimitKph: toHundredths(event.max_posted_speed_limit_in_kph),
  gForceForwardBackward: null,
  gForceSideToSide: null,
  headingDegrees: null,
  frontCamera: null,
  rearCamera: null,
})

function toPerformanceEvent(event: Event): NormalizedSafetyEvent {
  const type = types.orThrow(event.type)
  return {
    ...sharedFieldsOf(event),
    sourceId: event.id,
    type,
    startLocation: toPoint(event.lat, event.lon),
    endLocation: null,
    sourceType: event.type,
    ...speedsOf(event),
    roadSpeedLimitKph: null,
    ...forcesOf(type, event.acceleration),
    headingDegrees: event.end_bearing,
    frontCamera: cameraOf(event, 'front_facing_plain_url'),
    rearCamera: cameraOf(event, 'driver_facing_plain_url'),
  }
}

function speedsOf({ m_veh_spd: series }: Event) {
  const speeds = (series ?? []).filter((speed) => speed !== null)
  const sum = speeds.reduce((all, speed) => all + speed, 0)
  return {
    maximumSpeedKph: speeds.length === 0 ? null : toHundredths(Math.max(...speeds)),
    averageSpeedKph: speeds.length === 0 ? null : toHundredths(sum / speeds.length),
  }
}

/**
 * Acceleration is lateral in a turn, otherwise longitudinal. That of a braking is always negative, even if Motive
 * sends it without a sign.
 */
function forcesOf(type: SafetyEventType, acceleration: number | null) {
  const isTurn = type === 'harsh_turn'
  const isBrake = type === 'harsh_brake' && acceleration !== null
  return {
    gForceForwardBackward: isTurn ? null : isBrake ? -Math.abs(acceleration) : acceleration,
    gForceSideToSide: isTurn ? acceleration : null,
  }
}

type Side = 'front_facing_plain_url' | 'driver_facing_plain_url'

const urlOf = ({ camera_media: media }: Event, side: Side): string | null =>
  media?.downloadable_videos?.[side] || null

const cameraOf = (event: Event, side: Side) =>
  urlOf(event, side) === null
    ? null
    : { sourceId: event.camera_media?.id ?? null, available: event.camera_media?.available !== false }

export const toCameraMedia = (event: Event): NormalizedCameraMedia => ({
  frontFacing: fileOf(event, 'front_facing_plain_url'),
  rearFacing: fileOf(event, 'driver_facing_plain_url'),
})

function fileOf(event: Event, side: Side) {
  const url = urlOf(event, side)
  return url === null ? null : { sourceId: event.camera_media?.id ?? null, url }
}
