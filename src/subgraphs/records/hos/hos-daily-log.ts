import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed, Loaded } from '../../schema/build-subgraph.ts'
import { Node } from '../../schema/node-interface.ts'
import { CalendarDate } from '../../schema/scalars.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../../tables/provider-record.ts'
import { entityRef } from '../../schema/entity-references.ts'
import { RawData, RecordMetadata } from '../../schema/value-types.ts'
import { DriverOfRecords } from '../entity-extensions.ts'
import type { RawContext } from '../raw-context.ts'

@ObjectType({ simpleResolvers: true, description: 'How long a driver was in each status on a day.' })
export class HosStatusDurations {
  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  onDuty: number | null

  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  offDuty: number | null

  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  driving: number | null

  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  waiting: number | null

  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  sleeperBed: number | null

  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  personalConveyance: number | null

  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  yardMove: number | null
}

@ObjectType({ simpleResolvers: true, description: 'How far a driver drove on a day, by status.' })
export class HosDistances {
  @Field(() => Float, { nullable: true, description: 'Kilometers.' })
  @Computed((row: HosDailyLog) => row.totalDistance)
  total?: number | null

  @Field(() => Float, { nullable: true, description: 'Kilometers.' })
  @Computed((row: HosDailyLog) => row.drivingDistance)
  driving?: number | null

  @Field(() => Float, { nullable: true, description: 'Kilometers.' })
  @Computed((row: HosDailyLog) => row.personalConveyanceDistance)
  personalConveyance?: number | null

  @Field(() => Float, { nullable: true, description: 'Kilometers.' })
  @Computed((row: HosDailyLog) => row.yardMoveDistance)
  yardMove?: number | null
}

@Directive('@key(fields: "id")')
@Entity('hos_daily_logs')
@Indexes(...LIST_INDEXES, ...listIndexesBy('date', 'driverId'))
@ObjectType('HosDailyLog', {
  implements: Node,
  simpleResolvers: true,
  description: "A day of a driver's hours of service.",
})
export class HosDailyLog extends ProviderRecord {
  @IdColumn()
  driverId: string

  @Field(() => DriverOfRecords, { nullable: true, description: 'Whose day it is.' })
  @Computed((row: HosDailyLog) => entityRef(row.driverId))
  driver?: DriverOfRecords | null

  @Field(() => CalendarDate, { description: "The day, in the time zone of the driver's home terminal." })
  @IdColumn()
  date: string

  @NumberColumn({ nullable: true })
  onDuty: number | null

  @NumberColumn({ nullable: true })
  offDuty: number | null

  @NumberColumn({ nullable: true })
  driving: number | null

  @NumberColumn({ nullable: true })
  waiting: number | null

  @NumberColumn({ nullable: true })
  sleeperBed: number | null

  @NumberColumn({ nullable: true })
  personalConveyance: number | null

  @NumberColumn({ nullable: true })
  yardMove: number | null

  @Field(() => HosStatusDurations, { description: 'How long each status lasted.' })
  @Computed((row: HosDailyLog) => row)
  statusDurations?: HosStatusDurations

  @NumberColumn({ nullable: true })
  totalDistance: number | null

  @NumberColumn({ nullable: true })
  drivingDistance: number | null

  @NumberColumn({ nullable: true })
  personalConveyanceDistance: number | null

  @NumberColumn({ nullable: true })
  yardMoveDistance: number | null

  @Field(() => HosDistances, { nullable: true, description: 'How far the driver drove in each status.' })
  @Computed((row: HosDailyLog) => (hasDistances(row) ? row : null))
  distances?: HosDistances | null

  @Field(() => RecordMetadata, { description: 'When it was stored and changed here.' })
  @Computed((row: HosDailyLog) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: HosDailyLog, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}

const hasDistances = (row: HosDailyLog): boolean =>
  [row.totalDistance, row.drivingDistance, row.personalConveyanceDistance, row.yardMoveDistance].some(
    (distance) => distance !== null,
  )
