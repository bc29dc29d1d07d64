import { Directive, Field, Float, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { safetyEventTypes, type SafetyEventType } from '../../../providers/normalized-records.ts'
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
import { entityRef } from '../../schema/entity-references.ts'
import { GeoPoint, pointOf, RawData, RecordMetadata } from '../../schema/value-types.ts'
import { type CameraFile, CameraMediaReference } from './camera-media.ts'
import { DriverOfRecords, VehicleOfRecords } from '../entity-extensions.ts'
import type { RawContext } from '../raw-context.ts'

/** The enum of the graph: HARSH_BRAKE for harsh_brake, and so on. */
export const SafetyEventKind = Object.fromEntries(safetyEventTypes.map((type) => [type.toUpperCase(), type]))

registerEnumType(SafetyEventKind, {
  name: 'SafetyEventType',
  description: 'What happened.',
  valuesConfig: Object.fromEntries(
    safetyEventTypes.map((type) => [type.toUpperCase(), { description: `${type.replaceAll('_', ' ')}.` }]),
  ),
})

@ObjectType({ simpleResolvers: true, description: 'What was measured during a safety event.' })
export class SafetyEventStats {
  @Field(() => Float, { nullable: true, description: 'km/h.' })
  maximumSpeed: number | null

  @Field(() => Float, { nullable: true, description: 'km/h.' })
  averageSpeed: number | null

  @Field(() => Float, { nullable: true, description: 'km/h.' })
  roadSpeedLimit: number | null

  @Field(() => Float, { nullable: true, description: 'g; braking is negative.' })
  gForceForwardBackward: number | null

  @Field(() => Float, { nullable: true, description: 'g; to the left is negative.' })
  gForceSideToSide: number | null

  @Field(() => Float, { nullable: true, description: 'Degrees clockwise from north.' })
  heading: number | null
}

@Directive('@key(fields: "id")')
@Entity('safety_events')
@Indexes(...LIST_INDEXES, ...listIndexesBy('startedAt', 'vehicleId', 'driverId'))
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Something on the road that a device judged unsafe.',
})
export class SafetyEvent extends ProviderRecord {
  @Field(() => SafetyEventKind, { description: 'What happened.' })
  @IdColumn()
  type: SafetyEventType

  @IdColumn()
  vehicleId: string

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => VehicleOfRecords, { nullable: true, description: 'The vehicle it happened to.' })
  @Computed((row: SafetyEvent) => entityRef(row.vehicleId))
  vehicle?: VehicleOfRecords | null

  @Field(() => DriverOfRecords, { nullable: true, description: 'Who drove, where it is known.' })
  @Computed((row: SafetyEvent) => entityRef(row.driverId))
  driver?: DriverOfRecords | null

  @Field(() => DateTime, { description: 'When it began.' })
  @InstantColumn()
  startedAt: number

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it ended; null while it lasts and where it is not known.',
  })
  @InstantColumn({ nullable: true })
  endedAt: number | null

  @NumberColumn({ nullable: true })
  startLongitude: number | null

  @NumberColumn({ nullable: true })
  startLatitude: number | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where it began.' })
  @Computed((row: SafetyEvent) => pointOf(row.startLongitude, row.startLatitude))
  startLocation?: GeoPoint | null

  @NumberColumn({ nullable: true })
  endLongitude: number | null

  @NumberColumn({ nullable: true })
  endLatitude: number | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where it ended.' })
  @Computed((row: SafetyEvent) => pointOf(row.endLongitude, row.endLatitude))
  endLocation?: GeoPoint | null

  @JsonColumn({ nullable: true })
  frontCamera: CameraFile | null

  @JsonColumn({ nullable: true })
  rearCamera: CameraFile | null

  @Field(() => CameraMediaReference, {
    nullable: true,
    description: 'Which cameras filmed it; null where the vehicle has none.',
  })
  @Computed(({ frontCamera, rearCamera }: SafetyEvent) =>
    frontCamera || rearCamera ? { frontFacing: frontCamera, rearFacing: rearCamera } : null,
  )
  cameraMedia?: CameraMediaReference | null

  @Field(() => Json, {
    nullable: true,
    description:
      'What enrichment providers add, by their names: speed limits in km/h, road attributes, and the weather in °C, m/s, cm/h and km.',
  })
  @JsonColumn({ nullable: true })
  extensions: Record<string, unknown> | null

  @Field(() => String, { nullable: true, description: "The provider's own label." })
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

  @Field(() => SafetyEventStats, { description: 'What was measured.' })
  @Computed((row: SafetyEvent) => row)
  stats?: SafetyEventStats

  @Field(() => RecordMetadata, { description: 'When it was stored and changed here.' })
  @Computed((row: SafetyEvent) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: SafetyEvent, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}
