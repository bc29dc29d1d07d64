import { Directive, Field, Float, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { type SafetyEventType, safetyEventTypes } from '../../../domain/models/safety-event.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  NumberColumn,
  TextColumn,
} from '../../../storage/sql/columns.ts'
import { Computed, Loaded } from '../../schema/build-subgraph.ts'
import { Node } from '../../schema/node-interface.ts'
import { DateTime, Json } from '../../schema/scalars.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../../tables/provider-record.ts'
import type { VisibleContext } from '../../tables/visible-reads.ts'
import { entityRef, type EntityRef } from '../../schema/entity-references.ts'
import { GeoPoint, pointOf, RawData, RecordMetadata } from '../../schema/value-types.ts'
import { type CameraFile, CameraMediaReference } from './camera-media.ts'
import { RecordsDriverExtension, RecordsVehicleExtension } from '../entity-extensions.ts'
import type { RawContext } from '../raw-context.ts'
import { ConnectionField } from '../../schema/graph-only-fields.ts'

/** Stored types by GraphQL enum value: `HARSH_BRAKE` stands for `harsh_brake`. */
export const SafetyEventKind = Object.fromEntries(safetyEventTypes.map((type) => [type.toUpperCase(), type]))

const descriptions: Readonly<Record<SafetyEventType, string>> = {
  harsh_brake: "The driver braked harder than the provider's threshold.",
  harsh_acceleration: "The vehicle accelerated harder than the provider's threshold.",
  harsh_turn: "The vehicle turned harder than the provider's threshold.",
  speeding: 'The vehicle drove faster than the limit of the road or of the fleet.',
  crash: 'The device measured an impact like that of a crash.',
  near_crash: 'The driver avoided a crash by braking or swerving hard.',
  tailgating: 'The vehicle followed another one too closely.',
  cell_phone: 'The driver used a phone.',
  distracted: 'The driver looked away from the road.',
  drowsiness: 'The driver showed signs of sleepiness.',
  smoking: 'The driver smoked.',
  seat_belt_violation: 'The driver did not wear the seat belt.',
  stop_sign_violation: 'The vehicle passed a stop sign without a stop.',
  red_light_violation: 'The vehicle passed a red traffic light.',
  unsafe_lane_change: 'The vehicle changed lanes in a dangerous way.',
  camera_obstruction: 'The view of the camera was blocked.',
  eating_and_drinking: 'The driver ate or drank.',
  rolling_stop: 'The vehicle slowed down where it had to stop, but did not stop.',
  unsafe_parking: 'The vehicle was parked in a dangerous place.',
}

registerEnumType(SafetyEventKind, {
  name: 'SafetyEventType',
  description: 'The type of a safety event, as the provider classified it.',
  valuesConfig: Object.fromEntries(
    safetyEventTypes.map((type) => [type.toUpperCase(), { description: descriptions[type] }]),
  ),
})

@ObjectType({ simpleResolvers: true, description: 'Measurements during a safety event.' })
export class SafetyEventStats {
  @Field(() => Float, { nullable: true, description: 'Maximum speed in km/h.' })
  maximumSpeed: number | null

  @Field(() => Float, { nullable: true, description: 'Average speed in km/h.' })
  averageSpeed: number | null

  @Field(() => Float, { nullable: true, description: 'Speed limit of the road in km/h.' })
  roadSpeedLimit: number | null

  @Field(() => Float, { nullable: true, description: 'Longitudinal acceleration in g. Braking is negative.' })
  gForceForwardBackward: number | null

  @Field(() => Float, { nullable: true, description: 'Lateral acceleration in g. To the left is negative.' })
  gForceSideToSide: number | null

  @Field(() => Float, { nullable: true, description: 'Heading in degrees clockwise from north.' })
  heading: number | null
}

@Directive('@key(fields: "id")')
@Entity('safety_events')
@Indexes(...LIST_INDEXES, ...listIndexesBy('startedAt', 'vehicleId', 'driverId'))
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An event on the road that a device classified as unsafe.',
})
export class SafetyEvent extends ProviderRecord {
  @ConnectionField()
  connection?: EntityRef | null

  @Field(() => SafetyEventKind, { description: 'The type of the event.' })
  @IdColumn()
  type: SafetyEventType

  @IdColumn()
  vehicleId: string

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => RecordsVehicleExtension, { nullable: true, description: 'The vehicle of the event.' })
  @Computed((row: SafetyEvent) => entityRef(row.vehicleId))
  vehicle?: RecordsVehicleExtension | null

  @Field(() => RecordsDriverExtension, {
    nullable: true,
    description: 'The driver. Null if unknown or hidden.',
  })
  @Loaded((row: SafetyEvent, { visible }: VisibleContext) => visible.reference('drivers', row.driverId))
  driver?: RecordsDriverExtension | null

  @Field(() => DateTime, { description: 'When the event started.' })
  @InstantColumn()
  startedAt: number

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the event ended. Null while it lasts or if unknown.',
  })
  @InstantColumn({ nullable: true })
  endedAt: number | null

  @NumberColumn({ nullable: true })
  startLongitude: number | null

  @NumberColumn({ nullable: true })
  startLatitude: number | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where the event started.' })
  @Computed((row: SafetyEvent) => pointOf(row.startLongitude, row.startLatitude))
  startLocation?: GeoPoint | null

  @NumberColumn({ nullable: true })
  endLongitude: number | null

  @NumberColumn({ nullable: true })
  endLatitude: number | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where the event ended.' })
  @Computed((row: SafetyEvent) => pointOf(row.endLongitude, row.endLatitude))
  endLocation?: GeoPoint | null

  @JsonColumn({ nullable: true })
  frontCamera: CameraFile | null

  @JsonColumn({ nullable: true })
  rearCamera: CameraFile | null

  @Field(() => CameraMediaReference, {
    nullable: true,
    description: 'The cameras that recorded the event. Null if the vehicle has none.',
  })
  @Computed(({ frontCamera, rearCamera }: SafetyEvent) =>
    frontCamera || rearCamera ? { frontFacing: frontCamera, rearFacing: rearCamera } : null,
  )
  cameraMedia?: CameraMediaReference | null

  @Field(() => Json, {
    nullable: true,
    description:
      'Data of enrichment providers, by provider name: speed limits in km/h, road attributes, and weather in °C, m/s, cm/h and km.',
  })
  @JsonColumn({ nullable: true })
  extensions: Record<string, unknown> | null

  @Field(() => String, { nullable: true, description: "The provider's own name of the event type." })
  @TextColumn({ nullable: true })
  sourceType: string | null

  @NumberColumn({ nullable: true })
  maximumSpeed: number | null

  @NumberColumn({ nullable: true })
  averageSpeed: number | null

  @NumberColumn({ nullable: true })
  roadSpeedLimit: number | null

  @NumberColumn({ nullable: true })
  gForceForwardBackward: number | null

  @NumberColumn({ nullable: true })
  gForceSideToSide: number | null

  @NumberColumn({ nullable: true })
  heading: number | null

  @Field(() => SafetyEventStats, { description: 'Measurements during the event.' })
  @Computed((row: SafetyEvent) => row)
  stats?: SafetyEventStats

  @Field(() => RecordMetadata, { description: 'When Odograph stored and changed the record.' })
  @Computed((row: SafetyEvent) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: SafetyEvent, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}
