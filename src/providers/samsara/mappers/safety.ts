import type { z } from 'zod'
import { ProviderError } from '../../provider-error.ts'
import type { NormalizedCameraMedia, NormalizedCameraMediaFile } from '../../../domain/models/camera-media.ts'
import type { NormalizedSafetyEvent, SafetyEventType } from '../../../domain/models/safety-event.ts'
import type { safetyEvent } from '../schemas/travel.ts'
import { unmappedValues, createEnumMapping } from '../../mapping/enum-mapping.ts'
import { toPlace } from './conversions.ts'

/** Labels without an equivalent safety event type. The reader skips an event that has only such labels. */
const unmappedLabels =
  unmappedValues(`AggressiveDriving BluetoothHeadset ContextConstructionOrWorkZone ContextSnowyOrIcy
  ContextVulnerableRoadUser ContextWet DefensiveDriving DidNotYield EdgeRailroadCrossingViolation ForwardCollisionWarning
  HighSpeedSuddenDisconnect HosViolation Idling Invalid LateResponse LeftTurn OperationalEvent OtherViolation Passenger
  PolicyViolationMask ProtectiveEquipment RearCollisionWarning Reversing RolloverProtection UTurn UnsafeManeuver
  VehicleInBlindSpotWarning VulnerableRoadUserCollisionWarning YawControl`)

const types = createEnumMapping<SafetyEventType>('samsara', 'SafetyEvent.type', {
  ...unmappedLabels,
  Acceleration: 'harsh_acceleration',
  Braking: 'harsh_brake',
  HarshTurn: 'harsh_turn',
  Crash: 'crash',
  Speeding: 'speeding',
  LightSpeeding: 'speeding',
  ModerateSpeeding: 'speeding',
  HeavySpeeding: 'speeding',
  SevereSpeeding: 'speeding',
  MaxSpeed: 'speeding',
  // Samsara's spelling of NearCollision.
  NearCollison: 'near_crash',
  NearCollision: 'near_crash',
  NearPedestrianCollision: 'near_crash',
  FollowingDistance: 'tailgating',
  FollowingDistanceModerate: 'tailgating',
  FollowingDistanceSevere: 'tailgating',
  GenericTailgating: 'tailgating',
  MobileUsage: 'cell_phone',
  GenericDistraction: 'distracted',
  EdgeDistractedDriving: 'distracted',
  Drowsy: 'drowsiness',
  Smoking: 'smoking',
  NoSeatbelt: 'seat_belt_violation',
  RanRedLight: 'red_light_violation',
  LaneDeparture: 'unsafe_lane_change',
  ObstructedCamera: 'camera_obstruction',
  Eating: 'eating_and_drinking',
  Drinking: 'eating_and_drinking',
  EatingDrinking: 'eating_and_drinking',
  RollingStop: 'rolling_stop',
  UnsafeParking: 'unsafe_parking',
})

/** Whether the reader includes an event with this label. It includes unknown labels, so that the mapping reports them. */
export const isIncludedLabel = (label: string): boolean => !Object.hasOwn(unmappedLabels, label)

/** Maps a safety event. Throws if it has no known label, because the model requires a type. */
export function toSafetyEvent(record: z.infer<typeof safetyEvent>): NormalizedSafetyEvent {
  const labels = record.behaviorLabels.map(({ label }) => ({ label, type: types.orNull(label) }))
  const { label, type } = labels.find((candidate) => candidate.type !== null) ?? {}
  if (!label || !type) throw new ProviderError('malformed', 'SafetyEvent.type: no known label')
  const { location, speedingMetadata: speeding } = record
  return {
    sourceId: record.id,
    type,
    vehicleSourceId: record.asset.id,
    driverSourceId: record.driver,
    startedAt: record.startMs,
    endedAt: record.endMs ?? null,
    startLocation: toPlace(location),
    endLocation: null,
    sourceType: label,
    maximumSpeedKph: speeding?.maxSpeedKilometersPerHour ?? null,
    averageSpeedKph: null,
    roadSpeedLimitKph: speeding?.postedSpeedLimitKilometersPerHour ?? null,
    ...forcesOf(type, record.maxAccelerationGForce),
    headingDegrees: location?.headingDegrees ?? null,
    frontCamera: hasVideo(record, FRONT) ? { sourceId: null, available: true } : null,
    rearCamera: hasVideo(record, REAR) ? { sourceId: null, available: true } : null,
    extensions: null,
  }
}

/** Assigns the largest acceleration to an axis, by the type of the event. Speeding has no meaningful acceleration. */
function forcesOf(type: SafetyEventType, gForce: number | null) {
  const isTurn = type === 'harsh_turn'
  return {
    gForceForwardBackward: isTurn || type === 'speeding' ? null : gForce,
    gForceSideToSide: isTurn ? gForce : null,
  }
}

const FRONT = 'dashcamRoadFacing'
const REAR = 'dashcamDriverFacing'

type Event = z.infer<typeof safetyEvent>

const videoOf = ({ media }: Event, input: string) => media?.find((file) => file.input === input && file.url)

const hasVideo = (event: Event, input: string): boolean => videoOf(event, input) !== undefined

export const toCameraMedia = (event: Event): NormalizedCameraMedia => ({
  frontFacing: fileOf(event, FRONT),
  rearFacing: fileOf(event, REAR),
})

function fileOf(event: Event, input: string): NormalizedCameraMediaFile | null {
  const url = videoOf(event, input)?.url
  return url ? { sourceId: null, url } : null
}
