import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed, Loaded } from '../../schema/build-subgraph.ts'
import { Node } from '../../schema/node-interface.ts'
import { CalendarDate } from '../../schema/scalars.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../../tables/provider-record.ts'
import { entityRef, type EntityRef } from '../../schema/entity-references.ts'
import { RawData, RecordMetadata } from '../../schema/value-types.ts'
import { RecordsDriverExtension } from '../entity-extensions.ts'
import type { RawContext } from '../raw-context.ts'
import { ConnectionField } from '../../schema/graph-only-fields.ts'

@ObjectType({ simpleResolvers: true, description: 'The time that a driver spent in each status on a day.' })
export class HosStatusDurations {
  @Field(() => Float, { nullable: true, description: 'On-duty time in whole milliseconds.' })
  onDuty: number | null

  @Field(() => Float, { nullable: true, description: 'Off-duty time in whole milliseconds.' })
  offDuty: number | null

  @Field(() => Float, { nullable: true, description: 'Driving time in whole milliseconds.' })
  driving: number | null

  @Field(() => Float, { nullable: true, description: 'Waiting time in whole milliseconds.' })
  waiting: number | null

  @Field(() => Float, { nullable: true, description: 'Sleeper-berth time in whole milliseconds.' })
  sleeperBed: number | null

  @Field(() => Float, { nullable: true, description: 'Personal-conveyance time in whole milliseconds.' })
  personalConveyance: number | null

  @Field(() => Float, { nullable: true, description: 'Yard-move time in whole milliseconds.' })
  yardMove: number | null
}

@ObjectType({ simpleResolvers: true, description: 'The distances of a driver on a day, by status.' })
export class HosDistances {
  @Field(() => Float, { nullable: true, description: 'Total distance in kilometers.' })
  @Computed((row: HosDailyLog) => row.totalDistance)
  total?: number | null

  @Field(() => Float, { nullable: true, description: 'Distance with the status DRIVING, in kilometers.' })
  @Computed((row: HosDailyLog) => row.drivingDistance)
  driving?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'Distance with the status PERSONAL_CONVEYANCE, in kilometers.',
  })
  @Computed((row: HosDailyLog) => row.personalConveyanceDistance)
  personalConveyance?: number | null

  @Field(() => Float, { nullable: true, description: 'Distance with the status YARD_MOVE, in kilometers.' })
  @Computed((row: HosDailyLog) => row.yardMoveDistance)
  yardMove?: number | null
}

@Directive('@key(fields: "id")')
@Entity('hos_daily_logs')
@Indexes(...LIST_INDEXES, ...listIndexesBy('date', 'driverId'))
@ObjectType('HosDailyLog', {
  implements: Node,
  simpleResolvers: true,
  description: "A driver's hours of service on one day.",
})
export class HosDailyLog extends ProviderRecord {
  @ConnectionField()
  connection?: EntityRef | null

  @IdColumn()
  driverId: string

  @Field(() => RecordsDriverExtension, { nullable: true, description: 'The driver of the log.' })
  @Computed((row: HosDailyLog) => entityRef(row.driverId))
  driver?: RecordsDriverExtension | null

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

  @Field(() => HosStatusDurations, { description: 'The time in each status.' })
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

  @Field(() => HosDistances, {
    nullable: true,
    description: 'The distances by status. Null if the provider reports none.',
  })
  @Computed((row: HosDailyLog) => (hasDistances(row) ? row : null))
  distances?: HosDistances | null

  @Field(() => RecordMetadata, { description: 'When Odograph stored and changed the record.' })
  @Computed((row: HosDailyLog) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: HosDailyLog, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}

const hasDistances = (row: HosDailyLog): boolean =>
  [row.totalDistance, row.drivingDistance, row.personalConveyanceDistance, row.yardMoveDistance].some(
    (distance) => distance !== null,
  )
