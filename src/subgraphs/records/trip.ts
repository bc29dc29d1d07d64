import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, NumberColumn } from '../../storage/columns.ts'
import { From, Through } from '../define.ts'
import { Node } from '../node.ts'
import { DateTime } from '../scalars.ts'
import { LISTED, listedBy, Sourced } from '../sourced.ts'
import { mention } from '../stubs.ts'
import { GeoPoint, pointOf, RawData, RecordMetadata } from '../values.ts'
import { DriverOfRecords, VehicleOfRecords } from './owners.ts'
import type { RecordsContext } from './reads.ts'

@Directive('@key(fields: "id")')
@Entity('trips')
@Indexes(...LISTED, ...listedBy('startedAt', 'vehicleId', 'driverId'))
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A drive of one vehicle from start to stop.',
})
export class Trip extends Sourced {
  @IdColumn()
  vehicleId: string

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => VehicleOfRecords, { nullable: true, description: 'The vehicle that drove.' })
  @From((row: Trip) => mention(row.vehicleId))
  vehicle?: VehicleOfRecords | null

  @Field(() => DriverOfRecords, { nullable: true, description: 'Who drove, where it is known.' })
  @From((row: Trip) => mention(row.driverId))
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
  @From((row: Trip) => pointOf(row.startLongitude, row.startLatitude))
  startLocation?: GeoPoint | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where it ended.' })
  @From((row: Trip) => pointOf(row.endLongitude, row.endLatitude))
  endLocation?: GeoPoint | null

  @Field(() => Float, { nullable: true, description: 'Kilometers.' })
  @NumberColumn({ nullable: true })
  distance: number | null

  @Field(() => Float, { description: 'Whole milliseconds.' })
  @NumberColumn()
  duration: number

  @Field(() => RecordMetadata, { description: 'When it was stored and changed here.' })
  @From((row: Trip) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Through((row: Trip, { records }: RecordsContext) => records.raw.load(row.id))
  raw?: RawData[]
}
