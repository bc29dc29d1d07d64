import { Directive, Field, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, TextColumn } from '../../storage/sql/columns.ts'
import { Computed } from '../schema/build-subgraph.ts'
import { ConnectionField } from '../schema/graph-only-fields.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, ProviderRecord } from '../tables/provider-record.ts'
import { EntityMetadata } from './value-types/entity-metadata.ts'
import { FleetConnectionExtension } from './connection-extension.ts'

export enum DeviceType {
  TRACKER = 'tracker',
  CAMERA = 'camera',
}

registerEnumType(DeviceType, {
  name: 'DeviceType',
  description: 'The type of a device.',
  valuesConfig: {
    TRACKER: { description: 'Reports positions and engine data.' },
    CAMERA: { description: 'Records video of the road or the cab.' },
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
  @ConnectionField(() => FleetConnectionExtension)
  connection?: FleetConnectionExtension | null

  @Field(() => DeviceType, { description: 'The type of the device.' })
  @IdColumn()
  type: DeviceType

  @IdColumn({ nullable: true })
  vehicleId: string | null

  @Field(() => String, { nullable: true, description: 'A description of the device.' })
  @TextColumn({ nullable: true })
  description: string | null

  @Field(() => String, { nullable: true, description: "The manufacturer's serial number." })
  @TextColumn({ nullable: true })
  serialNumber: string | null

  @Field(() => DateTime, { nullable: true, description: 'When the device last reported.' })
  @InstantColumn({ nullable: true })
  lastConnectedAt: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: "When the record was created in the provider's system.",
  })
  @InstantColumn({ nullable: true })
  createdAt: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: "When the record was last updated in the provider's system.",
  })
  @InstantColumn({ nullable: true })
  updatedAt: number | null

  @Field(() => EntityMetadata, {
    description: 'When Odograph stored and changed the record, and whether lists include it; if not, why.',
  })
  @Computed((row: Device) => row)
  metadata?: EntityMetadata
}
