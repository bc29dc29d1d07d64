import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, NumberColumn } from '../../storage/sql/columns.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../tables/provider-record.ts'
import { entityRef } from '../schema/entity-references.ts'
import { GeoPoint, pointOf, RawData, RecordMetadata } from '../schema/value-types.ts'
import { DriverOfRecords, VehicleOfRecords } from './entity-extensions.ts'
import type { RawContext } from './raw-context.ts'

@Directive('@key(fields: "id")')
@Entity('trips')
@Indexes(...LIST_INDEXES, ...listIndexesBy('startedAt', 'vehicleId', 'driverId'))
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A drive of one vehicle from start to stop.',
})
export class Trip extends ProviderRecord {
  @IdColumn()
  vehicleId: string

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => VehicleOfRecords, { nullable: true, description: 'The vehicle that drove.' })
  @Computed((row: Trip) => entityRef(row.vehicleId))
  vehicle?: VehicleOfRecords | null

  @Field(() => DriverOfRecords, { nullable: true, description: 'Who drove, where it is known.' })
  @Computed((row: Trip) => entityRef(row.driverId))
  driver?: DriverOfRecords | null

  @Field(() => DateTime, { description: 'When it started.' })
  @InstantColumn()
  startedAt: number

  @Field(() => DateTime, { description: 'When it ended.' })
  @InstantColumn()
  endedAt: number

  @NumberColumn({ nullable: true })
  startLongitude: number | null

  @NumberColumn({ nullable: true })
  startLatitude: number | null

  @NumberColumn({ nullable: true })
  endLongitude: number | null

  @NumberColumn({ nullable: true })
  endLatitude: number | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where it started.' })
  @Computed((row: Trip) => pointOf(row.startLongitude, row.startLatitude))
  startLocation?: GeoPoint | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where it ended.' })
  @Computed((row: Trip) => pointOf(row.endLongitude, row.endLatitude))
  endLocation?: GeoPoint | null

  @Field(() => Float, { nullable: true, description: 'Kilometers.' })
  @NumberColumn({ nullable: true })
  distance: number | null

  @Field(() => Float, { description: 'Whole milliseconds.' })
  @NumberColumn()
  duration: number

  @Field(() => RecordMetadata, { description: 'When it was stored and changed here.' })
  @Computed((row: Trip) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: Trip, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}
