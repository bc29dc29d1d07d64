import { Directive, Field, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, TextColumn } from '../../storage/sql/columns.ts'
import { Computed } from '../schema/build-subgraph.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, ProviderRecord } from '../tables/provider-record.ts'
import { EntityMetadata } from './value-types/entity-metadata.ts'

export enum DeviceType {
  TRACKER = 'tracker',
  CAMERA = 'camera',
}

registerEnumType(DeviceType, {
  name: 'DeviceType',
  description: 'What a device does.',
  valuesConfig: {
    TRACKER: { description: 'Reports positions and the engine.' },
    CAMERA: { description: 'Films the road or the cab.' },
  },
})

@Directive('@key(fields: "id")')
@Entity('devices')
@Indexes(...LIST_INDEXES, ['vehicleId', 'id'])
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Hardware in a vehicle that reports to the provider.',
})
export class Device extends ProviderRecord {
  @Field(() => DeviceType, { description: 'What it does.' })
  @IdColumn()
  type: DeviceType

  @IdColumn({ nullable: true })
  vehicleId: string | null

  @Field(() => String, { nullable: true, description: 'What it is.' })
  @TextColumn({ nullable: true })
  description: string | null

  @Field(() => String, { nullable: true, description: "The manufacturer's serial number." })
  @TextColumn({ nullable: true })
  serialNumber: string | null

  @Field(() => DateTime, { nullable: true, description: 'When it last reported.' })
  @InstantColumn({ nullable: true })
  lastConnectedAt: number | null

  @Field(() => DateTime, { nullable: true, description: "In the provider's system." })
  @InstantColumn({ nullable: true })
  createdAt: number | null

  @Field(() => DateTime, { nullable: true, description: "In the provider's system." })
  @InstantColumn({ nullable: true })
  updatedAt: number | null

  @Field(() => EntityMetadata, {
    description: 'When it was stored and changed here, and whether lists show it.',
  })
  @Computed((row: Device) => row)
  metadata?: EntityMetadata
}
