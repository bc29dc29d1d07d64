import { Directive, Field, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, JsonColumn, TextColumn } from '../../storage/sql/columns.ts'
import { Computed } from '../schema/build-subgraph.ts'
import { ConnectionField } from '../schema/graph-only-fields.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, ProviderRecord } from '../tables/provider-record.ts'
import { EntityMetadata } from './value-types/entity-metadata.ts'
import { DriverLicense, stateAndNumber } from './value-types/license-plate.ts'
import { FleetConnectionExtension } from './connection-extension.ts'

export enum DriverStatus {
  ACTIVE = 'active',
  INACTIVE = 'inactive',
}

registerEnumType(DriverStatus, {
  name: 'DriverStatus',
  description: "A driver's status in the provider's system.",
  valuesConfig: {
    ACTIVE: { description: 'Drives for the fleet.' },
    INACTIVE: { description: 'Deactivated by the fleet.' },
  },
})

@Directive('@key(fields: "id")')
@Entity('drivers')
@Indexes(...LIST_INDEXES)
@ObjectType({ implements: Node, simpleResolvers: true, description: 'A person who drives for the fleet.' })
export class Driver extends ProviderRecord {
  @ConnectionField(() => FleetConnectionExtension)
  connection?: FleetConnectionExtension | null

  @Field(() => DriverStatus, { description: "The driver's status in the provider's system." })
  @IdColumn()
  status: DriverStatus

  @Field(() => String, { nullable: true, description: 'The first name.' })
  @TextColumn({ nullable: true })
  firstName: string | null

  @Field(() => String, { nullable: true, description: 'The middle name.' })
  @TextColumn({ nullable: true })
  middleName: string | null

  @Field(() => String, { nullable: true, description: 'The last name.' })
  @TextColumn({ nullable: true })
  lastName: string | null

  @Field(() => String, { nullable: true, description: 'The e-mail address.' })
  @TextColumn({ nullable: true })
  email: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The phone number: digits only, with a leading + if the country code is known.',
  })
  @IdColumn({ nullable: true })
  phone: string | null

  @Field(() => String, { nullable: true, description: "The driver's sign-in name at the provider." })
  @TextColumn({ nullable: true })
  username: string | null

  @IdColumn({ nullable: true })
  licenseState: string | null

  @TextColumn({ nullable: true })
  licenseNumber: string | null

  @Field(() => DriverLicense, { nullable: true, description: "The driver's license." })
  @Computed((row: Driver) => stateAndNumber(row.licenseState, row.licenseNumber))
  license?: DriverLicense | null

  @JsonColumn()
  groupIds: string[]

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
  @Computed((row: Driver) => row)
  metadata?: EntityMetadata
}
