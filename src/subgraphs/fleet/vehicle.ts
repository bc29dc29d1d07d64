import { Directive, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql'
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

export enum VehicleStatus {
  ACTIVE = 'active',
  INACTIVE = 'inactive',
}

registerEnumType(VehicleStatus, {
  name: 'VehicleStatus',
  description: "A vehicle's status in the provider's system.",
  valuesConfig: {
    ACTIVE: { description: 'In service.' },
    INACTIVE: { description: 'Deactivated by the fleet.' },
  },
})

export enum FuelType {
  GASOLINE = 'gasoline',
  DIESEL = 'diesel',
  PROPANE = 'propane',
  ELECTRIC = 'electric',
  HYBRID_GASOLINE = 'hybrid_gasoline',
  HYBRID_DIESEL = 'hybrid_diesel',
}

registerEnumType(FuelType, {
  name: 'FuelType',
  description: 'The fuel type of a vehicle.',
  valuesConfig: {
    GASOLINE: { description: 'Gasoline.' },
    DIESEL: { description: 'Diesel.' },
    PROPANE: { description: 'Propane.' },
    ELECTRIC: { description: 'Battery only.' },
    HYBRID_GASOLINE: { description: 'Gasoline with a battery.' },
    HYBRID_DIESEL: { description: 'Diesel with a battery.' },
  },
})

@Directive('@key(fields: "id")')
@Entity('vehicles')
@Indexes(...LIST_INDEXES)
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: "A vehicle of a fleet's account at its provider.",
})
export class Vehicle extends ProviderRecord {
  @ConnectionField(() => FleetConnectionExtension)
  connection?: FleetConnectionExtension | null

  @Field(() => VehicleStatus, { description: "The vehicle's status in the provider's system." })
  @IdColumn()
  status: VehicleStatus

  @Field(() => String, {
    nullable: true,
    description: 'The vehicle identification number (VIN). Since 1981, it has 17 characters.',
  })
  @TextColumn({ nullable: true })
  vin: string | null

  @Field(() => String, { nullable: true, description: 'The name of the vehicle in the fleet.' })
  @TextColumn({ nullable: true })
  name: string | null

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
  @Computed((row: Vehicle) => stateAndNumber(row.licensePlateState, row.licensePlateNumber))
  licensePlate?: LicensePlate | null

  @Field(() => FuelType, { nullable: true, description: 'The fuel type.' })
  @IdColumn({ nullable: true })
  fuelType: FuelType | null

  @Field(() => Float, {
    nullable: true,
    description: 'Fuel consumption in liters per 100 km.',
    deprecationReason:
      'No provider reports it reliably. Divide fuel by distance instead. It will be removed.',
  })
  @NumberColumn({ nullable: true })
  fuelEfficiency: number | null

  @Field(() => Float, { nullable: true, description: 'The fuel capacity of the tanks in liters.' })
  @NumberColumn({ nullable: true })
  fuelTankCapacity: number | null

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
  @Computed((row: Vehicle) => row)
  metadata?: EntityMetadata
}
