import { Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import type { HosStatus } from '../../../domain/models/hos-log.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed, Loaded } from '../../schema/build-subgraph.ts'
import { HosStatusEnum } from '../../schema/enums/hos-status.ts'
import { latestRawOwnerId } from '../../tables/raw-record.ts'
import { entityRef, type EntityRef } from '../../schema/entity-references.ts'
import { RawData } from '../../schema/value-types.ts'
import { RecordsDriverExtension } from '../entity-extensions.ts'
import type { RawContext } from '../raw-context.ts'
import { CacheIdField, ConnectionField } from '../../schema/graph-only-fields.ts'

@ObjectType({
  simpleResolvers: true,
  description: "A driver's remaining time under the hours-of-service rules.",
})
export class HosClocks {
  @Field(() => Float, {
    nullable: true,
    description: 'Remaining on-duty time in this cycle, in whole milliseconds.',
  })
  cycle: number | null

  @Field(() => Float, { nullable: true, description: 'Remaining time in this shift, in whole milliseconds.' })
  shift: number | null

  @Field(() => Float, { nullable: true, description: 'Remaining driving time, in whole milliseconds.' })
  drive: number | null

  @Field(() => Float, { nullable: true, description: 'Time until a break is due, in whole milliseconds.' })
  break: number | null
}

@Entity('hos_available_times')
@Indexes(['applicationId', 'connectionId', 'driverId'])
@ObjectType('HosAvailableTime', {
  simpleResolvers: true,
  description: "A driver's current hours-of-service clocks.",
})
export class HosAvailableTime {
  @CacheIdField('driver', ({ driverId }: HosAvailableTime) => latestRawOwnerId(driverId))
  id?: string

  @KeyColumn()
  driverId: string

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @ConnectionField()
  connection?: EntityRef | null

  @Field(() => RecordsDriverExtension, { nullable: true, description: 'The driver of the clocks.' })
  @Computed((row: HosAvailableTime) => entityRef(row.driverId))
  driver?: RecordsDriverExtension | null

  @NumberColumn({ nullable: true })
  cycle: number | null

  @NumberColumn({ nullable: true })
  shift: number | null

  @NumberColumn({ nullable: true })
  drive: number | null

  @NumberColumn({ nullable: true })
  break: number | null

  @Field(() => HosClocks, { description: 'The remaining time of each clock.' })
  @Computed((row: HosAvailableTime) => row)
  availableTime?: HosClocks

  @Field(() => HosStatusEnum, { nullable: true, description: 'The current duty status of the driver.' })
  @IdColumn({ nullable: true })
  currentStatus: HosStatus | null

  /** Stamp of the write that last changed the row. Stamps increase with each write of a connection. */
  @InstantColumn()
  modifiedAt: number

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: HosAvailableTime, { records }: RawContext) =>
    records.raw.load(latestRawOwnerId(row.driverId)),
  )
  raw?: RawData[]
}
