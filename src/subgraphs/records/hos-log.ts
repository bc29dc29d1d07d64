import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { HosStatus } from '../../providers/drafts.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, NumberColumn } from '../../storage/columns.ts'
import { From, Through } from '../define.ts'
import { HosStatusEnum } from '../hos-status.ts'
import { Node } from '../node.ts'
import { DateTime } from '../scalars.ts'
import { LISTED, listedBy, Sourced } from '../sourced.ts'
import { mention } from '../stubs.ts'
import { GeoPoint, pointOf, RawData, RecordMetadata } from '../values.ts'
import { DriverOfRecords, VehicleOfRecords } from './owners.ts'
import type { RecordsContext } from './reads.ts'

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
@Indexes(...LISTED, ...listedBy('startedAt', 'driverId'))
@ObjectType('HosLog', {
  implements: Node,
  simpleResolvers: true,
  description: 'A stretch of time in which a driver had one hours-of-service status.',
})
export class HosLog extends Sourced {
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
  @From((row: HosLog) => mention(row.driverId))
  driver?: DriverOfRecords | null

  @Field(() => VehicleOfRecords, { nullable: true, description: 'The vehicle, where one is known.' })
  @From((row: HosLog) => mention(row.vehicleId))
  vehicle?: VehicleOfRecords | null

  @Field(() => [DriverOfRecords], {
    nullable: 'items',
    description: 'Who else was logged in to the vehicle; null for one who is not known here.',
  })
  @From((row: HosLog) => row.codriverIds.map(mention))
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
  @From((row: HosLog) => pointOf(row.longitude, row.latitude))
  location?: GeoPoint | null

  @Field(() => [HosRemark], { description: 'Notes on it.' })
  @JsonColumn()
  remarks: HosRemark[]

  @Field(() => RecordMetadata, { description: 'When it was stored and changed here.' })
  @From((row: HosLog) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Through((row: HosLog, { records }: RecordsContext) => records.raw.load(row.id))
  raw?: RawData[]
}
