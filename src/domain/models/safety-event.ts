import type { Instant } from '../time.ts'
import type { NormalizedCameraFile } from './camera-media.ts'
import { defineModel, exampleId } from './define-model.ts'
import { type Point, pointColumns } from './point.ts'
import { lookbackDays } from './lookback.ts'
import { gForce, kph } from './value-ranges.ts'

export const safetyEventTypes = [
  'harsh_brake',
  'harsh_acceleration',
  'harsh_turn',
  'speeding',
  'crash',
  'near_crash',
  'tailgating',
  'cell_phone',
  'distracted',
  'drowsiness',
  'smoking',
  'seat_belt_violation',
  'stop_sign_violation',
  'red_light_violation',
  'unsafe_lane_change',
  'camera_obstruction',
  'eating_and_drinking',
  'rolling_stop',
  'unsafe_parking',
] as const

export type SafetyEventType = (typeof safetyEventTypes)[number]

export interface NormalizedSafetyEvent {
  readonly sourceId: string
  readonly type: SafetyEventType
  readonly vehicleSourceId: string
  readonly driverSourceId: string | null
  readonly startedAt: Instant
  readonly endedAt: Instant | null
  readonly startLocation: Point | null
  readonly endLocation: Point | null
  /** The event type in the provider's words. */
  readonly sourceType: string | null
  readonly maximumSpeedKph: number | null
  readonly averageSpeedKph: number | null
  readonly roadSpeedLimitKph: number | null
  readonly gForceForwardBackward: number | null
  readonly gForceSideToSide: number | null
  readonly headingDegrees: number | null
  /** Recording of the camera that faces the road; null without one. */
  readonly frontCamera: NormalizedCameraFile | null
  /** Recording of the camera that faces the cab; null without one. */
  readonly rearCamera: NormalizedCameraFile | null
  /** Data that other services add to the event, such as the road and the weather, by the service's name. */
  readonly extensions: Readonly<Record<string, unknown>> | null
}

export const safetyEventModel = defineModel<NormalizedSafetyEvent>()({
  name: 'SafetyEvent',
  read: 'sync',
  id: { kind: 'safetyEvent', prefix: 'sft_evt' },
  node: { typeName: 'SafetyEvent', table: 'safety_events' },
  queryFields: ['safetyEvent', 'safetyEvents'],
  scope: 'safety:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'safety',
  owner: 'vehicle',
  lookback: lookbackDays(1),
  events: {
    prefix: 'safety',
    member: 'safetyEvent',
    types: {
      added: { description: 'A safety event was reported.', aliases: ['safety_event.added'] },
      modified: { description: 'A safety event changed.', aliases: ['safety_event.modified'] },
      removed: {
        description: 'The provider no longer has a safety event.',
        aliases: ['safety_event.removed'],
        optIn: true,
      },
    },
    example: {
      type: 'harsh_brake',
      vehicle: exampleId('vcl'),
      driver: exampleId('drv'),
      startedAt: '2026-01-31T12:00:00.000Z',
      startLocation: { longitude: -97.7431, latitude: 30.2672 },
      stats: { maximumSpeed: 88.5 },
    },
  },
  ranges: {
    maximumSpeedKph: kph,
    averageSpeedKph: kph,
    roadSpeedLimitKph: kph,
    gForceForwardBackward: gForce,
    gForceSideToSide: gForce,
  },
  required: { startedAt: true },
  columns: (normalized, resolveId) => ({
    type: normalized.type,
    vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
    driverId: resolveId('driver', normalized.driverSourceId),
    startedAt: normalized.startedAt,
    endedAt: normalized.endedAt,
    ...pointColumns('start', normalized.startLocation),
    ...pointColumns('end', normalized.endLocation),
    frontCamera: normalized.frontCamera,
    rearCamera: normalized.rearCamera,
    extensions: normalized.extensions,
    sourceType: normalized.sourceType,
    maximumSpeed: normalized.maximumSpeedKph,
    averageSpeed: normalized.averageSpeedKph,
    roadSpeedLimit: normalized.roadSpeedLimitKph,
    gForceForwardBackward: normalized.gForceForwardBackward,
    gForceSideToSide: normalized.gForceSideToSide,
    heading: normalized.headingDegrees,
  }),
})
