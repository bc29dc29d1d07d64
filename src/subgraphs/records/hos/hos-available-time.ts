import { Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import type { HosStatus } from '../../../providers/normalized-records.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed, Loaded } from '../../schema/build-subgraph.ts'
import { HosStatusEnum } from '../../schema/hos-status.ts'
import { latestOf } from '../../tables/raw-record.ts'
import { entityRef } from '../../schema/entity-references.ts'
import { RawData } from '../../schema/value-types.ts'
import { DriverOfRecords } from '../entity-extensions.ts'
import type { RawContext } from '../raw-context.ts'

@ObjectType({ simpleResolvers: true, description: 'How much time the rules leave a driver now.' })
export class HosClocks {
  @Field(() => Float, { nullable: true, description: 'On duty in this cycle, in whole milliseconds.' })
  cycle: number | null

  @Field(() => Float, { nullable: true, description: 'In this shift, in whole milliseconds.' })
  shift: number | null

  @Field(() => Float, { nullable: true, description: 'At the wheel, in whole milliseconds.' })
  drive: number | null

  @Field(() => Float, { nullable: true, description: 'Until a break is due, in whole milliseconds.' })
  break: number | null
}

@Entity('hos_available_times')
@Indexes(['applicationId', 'connectionId', 'driverId'])
@ObjectType('HosAvailableTime', {
  simpleResolvers: true,
  description: "A driver's hours-of-service clocks, as they run now.",
})
export class HosAvailableTime {
  @KeyColumn()
  driverId: string

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn({ hidden: true })
  connectionId: Id<'connection'>

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @Field(() => DriverOfRecords, { nullable: true, description: 'Whose clocks they are.' })
  @Computed((row: HosAvailableTime) => entityRef(row.driverId))
  driver?: DriverOfRecords | null

  @NumberColumn({ nullable: true })
  cycle: number | null

  @NumberColumn({ nullable: true })
  shift: number | null

  @NumberColumn({ nullable: true })
  drive: number | null

  @NumberColumn({ nullable: true })
  break: number | null

  @Field(() => HosClocks, { description: 'What is left on each clock.' })
  @Computed((row: HosAvailableTime) => row)
  availableTime?: HosClocks

  @Field(() => HosStatusEnum, { nullable: true, description: 'What the driver is doing now.' })
  @IdColumn({ nullable: true })
  currentStatus: HosStatus | null

  /** When it was stored here, by the connection's clock. */
  @InstantColumn()
  modifiedAt: number

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: HosAvailableTime, { records }: RawContext) => records.raw.load(latestOf(row.driverId)))
  raw?: RawData[]
}
