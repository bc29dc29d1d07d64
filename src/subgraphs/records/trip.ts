import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, NumberColumn } from '../../storage/sql/columns.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../tables/provider-record.ts'
import type { VisibleContext } from '../tables/visible-reads.ts'
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { GeoPoint, pointOf, RawData, RecordMetadata } from '../schema/value-types.ts'
import { RecordsDriverExtension, RecordsVehicleExtension } from './entity-extensions.ts'
import type { RawContext } from './raw-context.ts'
import { ConnectionField } from '../schema/graph-only-fields.ts'

@Directive('@key(fields: "id")')
@Entity('trips')
@Indexes(...LIST_INDEXES, ...listIndexesBy('startedAt', 'vehicleId', 'driverId'))
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A trip of one vehicle from start to stop.',
})
export class Trip extends ProviderRecord {
  @ConnectionField()
  connection?: EntityRef | null

  @IdColumn()
  vehicleId: string

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => RecordsVehicleExtension, { nullable: true, description: 'The vehicle of the trip.' })
  @Computed((row: Trip) => entityRef(row.vehicleId))
  vehicle?: RecordsVehicleExtension | null

  @Field(() => RecordsDriverExtension, {
    nullable: true,
    description: 'The driver. Null if unknown or hidden.',
  })
  @Loaded((row: Trip, { visible }: VisibleContext) => visible.reference('drivers', row.driverId))
  driver?: RecordsDriverExtension | null

  @Field(() => DateTime, { description: 'When the trip started.' })
  @InstantColumn()
  startedAt: number

  @Field(() => DateTime, { description: 'When the trip ended.' })
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

  @Field(() => GeoPoint, { nullable: true, description: 'Where the trip started.' })
  @Computed((row: Trip) => pointOf(row.startLongitude, row.startLatitude))
  startLocation?: GeoPoint | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where the trip ended.' })
  @Computed((row: Trip) => pointOf(row.endLongitude, row.endLatitude))
  endLocation?: GeoPoint | null

  @Field(() => Float, { nullable: true, description: 'The distance in kilometers.' })
  @NumberColumn({ nullable: true })
  distance: number | null

  @Field(() => Float, { description: 'The duration in whole milliseconds.' })
  @NumberColumn()
  duration: number

  @Field(() => RecordMetadata, { description: 'When Odograph stored and changed the record.' })
  @Computed((row: Trip) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: Trip, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}
