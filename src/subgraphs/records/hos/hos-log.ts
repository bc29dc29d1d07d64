import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { HosStatus } from '../../../providers/normalized-records.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed, Loaded } from '../../schema/build-subgraph.ts'
import { HosStatusEnum } from '../../schema/hos-status.ts'
import { Node } from '../../schema/node-interface.ts'
import { DateTime } from '../../schema/scalars.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../../tables/provider-record.ts'
import { entityRef } from '../../schema/entity-references.ts'
import { GeoPoint, pointOf, RawData, RecordMetadata } from '../../schema/value-types.ts'
import { DriverOfRecords, VehicleOfRecords } from '../entity-extensions.ts'
import type { RawContext } from '../raw-context.ts'

@ObjectType({ simpleResolvers: true, description: "A driver's or carrier's note on a log." })
export class HosRemark {
  @Field(() => String, { description: 'What it says.' })
  notes: string

  @Field(() => ID, { nullable: true, description: "The note's id in the provider's system." })
  sourceId: string | null

  @Field(() => DateTime, { nullable: true, description: 'When it was written.' })
  submittedAt: number | null
}

@Directive('@key(fields: "id")')
@Entity('hos_logs')
@Indexes(...LIST_INDEXES, ...listIndexesBy('startedAt', 'driverId'))
@ObjectType('HosLog', {
  implements: Node,
  simpleResolvers: true,
  description: 'A stretch of time in which a driver had one hours-of-service status.',
})
export class HosLog extends ProviderRecord {
  @Field(() => HosStatusEnum, { description: 'The status from its start to its end.' })
  @IdColumn()
  status: HosStatus

  @IdColumn()
  driverId: string

  @IdColumn({ nullable: true })
  vehicleId: string | null

  @JsonColumn()
  codriverIds: string[]

  @Field(() => DriverOfRecords, { nullable: true, description: 'Whose log it is.' })
  @Computed((row: HosLog) => entityRef(row.driverId))
  driver?: DriverOfRecords | null

  @Field(() => VehicleOfRecords, { nullable: true, description: 'The vehicle, where one is known.' })
  @Computed((row: HosLog) => entityRef(row.vehicleId))
  vehicle?: VehicleOfRecords | null

  @Field(() => [DriverOfRecords], {
    nullable: 'items',
    description: 'Who else was logged in to the vehicle; null for one who is not known here.',
  })
  @Computed((row: HosLog) => row.codriverIds.map(entityRef))
  codrivers?: (DriverOfRecords | null)[]

  @Field(() => DateTime, { description: 'When the status began.' })
  @InstantColumn()
  startedAt: number

  @Field(() => DateTime, { nullable: true, description: 'When the next one began; null while it lasts.' })
  @InstantColumn({ nullable: true })
  endedAt: number | null

  @NumberColumn({ nullable: true })
  longitude: number | null

  @NumberColumn({ nullable: true })
  latitude: number | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where the status began.' })
  @Computed((row: HosLog) => pointOf(row.longitude, row.latitude))
  location?: GeoPoint | null

  @Field(() => [HosRemark], { description: 'Notes on it.' })
  @JsonColumn()
  remarks: HosRemark[]

  @Field(() => RecordMetadata, { description: 'When it was stored and changed here.' })
  @Computed((row: HosLog) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: HosLog, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}
