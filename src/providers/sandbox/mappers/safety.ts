import type { z } from 'zod'
import type {
  NormalizedCameraFile,
  NormalizedCameraMedia,
  NormalizedCameraMediaFile,
} from '../../../domain/models/camera-media.ts'
import type { NormalizedSafetyEvent, SafetyEventType } from '../../../domain/models/safety-event.ts'
import type * as records from '../schemas/safety.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { toPoint, toSpeed } from './conversions.ts'

const types = createEnumMapping<SafetyEventType>('sandbox', 'SafetyEvent.type', {
  harsh_brake: 'harsh_brake',
  harsh_acceleration: 'harsh_acceleration',
  harsh_turn: 'harsh_turn',
  speeding: 'speeding',
  severe_speeding: 'speeding',
  tailgating: 'tailgating',
  lane_departure: 'unsafe_lane_change',
  distracted_driving: 'distracted',
  phone_use: 'cell_phone',
  drowsiness: 'drowsiness',
  smoking: 'smoking',
  food_or_drink: 'eating_and_drinking',
  no_seat_belt: 'seat_belt_violation',
  rolling_stop: 'rolling_stop',
  ran_stop_sign: 'stop_sign_violation',
  ran_red_light: 'red_light_violation',
  camera_covered: 'camera_obstruction',
  parked_unsafely: 'unsafe_parking',
  near_collision: 'near_crash',
  crash: 'crash',
})

const limitSources = createEnumMapping<'posted' | 'derived'>('sandbox', 'SafetyEvent.speedLimitSource', {
  posted: 'posted',
  derived: 'derived',
})

/** Maps a safety event. Throws for an unknown type: our types have no value for other events. */
export function toSafetyEvent(record: z.infer<typeof records.safetyEvent>): NormalizedSafetyEvent {
  return {
    sourceId: record.id,
    type: types.orThrow(record.type),
    vehicleSourceId: record.vehicleId,
    driverSourceId: record.driverId,
    startedAt: record.occurredAt,
    endedAt: record.endedAt,
    startLocation: toPoint(record.location),
    endLocation: toPoint(record.endLocation),
    sourceType: record.label,
    maximumSpeedKph: toSpeed(record.maxSpeedMph),
    averageSpeedKph: toSpeed(record.avgSpeedMph),
    roadSpeedLimitKph: toSpeed(record.speedLimitMph),
    gForceForwardBackward: record.gForceForward,
    gForceSideToSide: record.gForceSideways,
    headingDegrees: record.heading,
    frontCamera: toCameraFile(record.cameras.front),
    rearCamera: toCameraFile(record.cameras.rear),
    extensions: record.enrichment && { here: toHere(record.enrichment.here) },
  }
}

type EventRecord = z.infer<typeof records.safetyEvent>

const toCameraFile = (camera: EventRecord['cameras']['front']): NormalizedCameraFile | null =>
  camera && { sourceId: camera.id, available: camera.uploaded }

function toHere({
  speedLimitMph,
  truckSpeedLimitMph,
  speedLimitSource: providerSource,
  roadName,
  linkAttributes,
  weather,
}: NonNullable<EventRecord['enrichment']>['here']) {
  const speedLimitSource = limitSources.orNull(providerSource)
  const [speedLimit, truckSpeedLimit] = [toSpeed(speedLimitMph), toSpeed(truckSpeedLimitMph)]
  return {
    ...(speedLimit === null ? {} : { speedLimit, speedLimitSource }),
    ...(truckSpeedLimit === null ? {} : { truckSpeedLimit }),
    roadName,
    linkAttributes,
    ...(weather === null ? {} : { weather }),
  }
}

export const toCameraMedia = ({ front, rear }: z.infer<typeof records.media>): NormalizedCameraMedia => ({
  frontFacing: toMediaFile(front),
  rearFacing: toMediaFile(rear),
})

const toMediaFile = (clip: z.infer<typeof records.media>['front']): NormalizedCameraMediaFile | null =>
  clip && { sourceId: clip.id, url: clip.url }
