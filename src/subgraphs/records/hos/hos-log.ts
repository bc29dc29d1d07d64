import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { HosStatus } from '../../../domain/models/hos-log.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed, Loaded } from '../../schema/build-subgraph.ts'
import { HosStatusEnum } from '../../schema/enums/hos-status.ts'
import { Node } from '../../schema/node-interface.ts'
import { DateTime } from '../../schema/scalars.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../../tables/provider-record.ts'
import type { VisibleContext, VisibleReads } from '../../tables/visible-reads.ts'
import { entityRef, type EntityRef } from '../../schema/entity-references.ts'
import { GeoPoint, pointOf, RawData, RecordMetadata } from '../../schema/value-types.ts'
import { RecordsDriverExtension, RecordsVehicleExtension } from '../entity-extensions.ts'
import type { RawContext } from '../raw-context.ts'
import { ConnectionField } from '../../schema/graph-only-fields.ts'

@ObjectType({ simpleResolvers: true, description: 'A remark of a driver or carrier on a log.' })
export class HosRemark {
  @Field(() => String, { description: 'The text of the remark.' })
  notes: string

  @Field(() => ID, { nullable: true, description: "The remark's id in the provider's system." })
  sourceId: string | null

  @Field(() => DateTime, { nullable: true, description: 'When the remark was written.' })
  submittedAt: number | null
}

@Directive('@key(fields: "id")')
@Entity('hos_logs')
@Indexes(...LIST_INDEXES, ...listIndexesBy('startedAt', 'driverId'))
@ObjectType('HosLog', {
  implements: Node,
  simpleResolvers: true,
  description: 'A period in which a driver had one hours-of-service status.',
})
export class HosLog extends ProviderRecord {
  @ConnectionField()
  connection?: EntityRef | null

  @Field(() => HosStatusEnum, { description: 'The status during the period.' })
  @IdColumn()
  status: HosStatus

  @IdColumn()
  driverId: string

  @IdColumn({ nullable: true })
  vehicleId: string | null

  @JsonColumn()
  codriverIds: string[]

  @Field(() => RecordsDriverExtension, { nullable: true, description: 'The driver of the log.' })
  @Computed((row: HosLog) => entityRef(row.driverId))
  driver?: RecordsDriverExtension | null

  @Field(() => RecordsVehicleExtension, {
    nullable: true,
    description: 'The vehicle. Null if unknown or hidden.',
  })
  @Loaded((row: HosLog, { visible }: VisibleContext) => visible.reference('vehicles', row.vehicleId))
  vehicle?: RecordsVehicleExtension | null

  @Field(() => [RecordsDriverExtension], {
    nullable: 'items',
    description:
      'Other drivers that were logged in to the vehicle. An item is null if the driver is unknown. Hidden drivers are left out.',
  })
  @Loaded((row: HosLog, { visible }: VisibleContext) => visibleCodrivers(row, visible))
  codrivers?: (RecordsDriverExtension | null)[]

  @Field(() => DateTime, { description: 'When the status started.' })
  @InstantColumn()
  startedAt: number

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the next status started. Null while this one lasts.',
  })
  @InstantColumn({ nullable: true })
  endedAt: number | null

  @NumberColumn({ nullable: true })
  longitude: number | null

  @NumberColumn({ nullable: true })
  latitude: number | null

  @Field(() => GeoPoint, { nullable: true, description: 'Where the status started.' })
  @Computed((row: HosLog) => pointOf(row.longitude, row.latitude))
  location?: GeoPoint | null

  @Field(() => [HosRemark], { description: 'Remarks on the log.' })
  @JsonColumn()
  remarks: HosRemark[]

  @Field(() => RecordMetadata, { description: 'When Odograph stored and changed the record.' })
  @Computed((row: HosLog) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: HosLog, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}

async function visibleCodrivers({ codriverIds }: HosLog, visible: VisibleReads) {
  const references = await Promise.all(codriverIds.map((id) => visible.reference('drivers', id)))
  return references.filter((reference) => reference !== null)
}
