import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  NumberColumn,
  TextColumn,
} from '../../storage/sql/columns.ts'
import { Computed } from '../schema/build-subgraph.ts'
import { ConnectionField } from '../schema/graph-only-fields.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, ProviderRecord } from '../tables/provider-record.ts'
import { EntityMetadata } from './value-types/entity-metadata.ts'
import { LicensePlate, stateAndNumber } from './value-types/license-plate.ts'
import { FleetConnectionExtension } from './connection-extension.ts'

export enum TrailerStatus {
  ACTIVE = 'active',
  INACTIVE = 'inactive',
}

registerEnumType(TrailerStatus, {
  name: 'TrailerStatus',
  description: "A trailer's status in the provider's system.",
  valuesConfig: {
    ACTIVE: { description: 'In service.' },
    INACTIVE: { description: 'Deactivated by the fleet.' },
  },
})

@Directive('@key(fields: "id")')
@Entity('trailers')
@Indexes(...LIST_INDEXES)
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A trailer or another asset without an engine of its own.',
})
export class Trailer extends ProviderRecord {
  @ConnectionField(() => FleetConnectionExtension)
  connection?: FleetConnectionExtension | null

  @Field(() => TrailerStatus, { description: "The trailer's status in the provider's system." })
  @IdColumn()
  status: TrailerStatus

  @Field(() => String, { nullable: true, description: 'The name of the trailer in the fleet.' })
  @TextColumn({ nullable: true })
  name: string | null

  @Field(() => String, { nullable: true, description: 'The vehicle identification number.' })
  @TextColumn({ nullable: true })
  vin: string | null

  @Field(() => String, { nullable: true, description: "The manufacturer's serial number." })
  @TextColumn({ nullable: true })
  serialNumber: string | null

  @Field(() => String, { nullable: true, description: 'The manufacturer.' })
  @TextColumn({ nullable: true })
  make: string | null

  @Field(() => String, { nullable: true, description: "The manufacturer's model." })
  @TextColumn({ nullable: true })
  model: string | null

  @Field(() => Int, { nullable: true, description: 'The model year.' })
  @NumberColumn({ nullable: true })
  year: number | null

  @JsonColumn()
  groupIds: string[]

  @IdColumn({ nullable: true })
  licensePlateState: string | null

  @TextColumn({ nullable: true })
  licensePlateNumber: string | null

  @Field(() => LicensePlate, { nullable: true, description: 'The license plate.' })
  @Computed((row: Trailer) => stateAndNumber(row.licensePlateState, row.licensePlateNumber))
  licensePlate?: LicensePlate | null

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
  @Computed((row: Trailer) => row)
  metadata?: EntityMetadata
}
