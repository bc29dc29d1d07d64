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
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, ProviderRecord } from '../tables/provider-record.ts'
import { EntityMetadata } from './value-types/entity-metadata.ts'
import { LicensePlate, withNumber } from './value-types/license-plate.ts'

export enum VehicleStatus {
  ACTIVE = 'active',
  INACTIVE = 'inactive',
}

registerEnumType(VehicleStatus, {
  name: 'VehicleStatus',
  description: "A vehicle's status in the provider's system.",
  valuesConfig: {
    ACTIVE: { description: 'In service.' },
    INACTIVE: { description: 'Switched off by the fleet.' },
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
  description: 'What a vehicle runs on.',
  valuesConfig: {
    GASOLINE: { description: 'Gasoline.' },
    DIESEL: { description: 'Diesel.' },
    PROPANE: { description: 'Propane.' },
    ELECTRIC: { description: 'A battery alone.' },
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
  description: "A vehicle of the fleet's account at its provider.",
})
export class Vehicle extends ProviderRecord {
  @Field(() => VehicleStatus, { description: "Its status in the provider's system." })
  @IdColumn()
  status: VehicleStatus

  @Field(() => String, {
    nullable: true,
    description: 'The vehicle identification number, 17 characters since 1981.',
  })
  @TextColumn({ nullable: true })
  vin: string | null

  @Field(() => String, { nullable: true, description: 'What the fleet calls it.' })
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

  @Field(() => LicensePlate, { nullable: true, description: 'Its license plate.' })
  @Computed((row: Vehicle) => withNumber(row.licensePlateState, row.licensePlateNumber))
  licensePlate?: LicensePlate | null

  @Field(() => FuelType, { nullable: true, description: 'What it runs on.' })
  @IdColumn({ nullable: true })
  fuelType: FuelType | null

  @Field(() => Float, {
    nullable: true,
    description: 'Liters per 100 km.',
    deprecationReason: 'No provider reports it reliably; divide fuel by distance. It will be removed.',
  })
  @NumberColumn({ nullable: true })
  fuelEfficiency: number | null

  @Field(() => Float, { nullable: true, description: 'The most fuel that the tanks hold, in liters.' })
  @NumberColumn({ nullable: true })
  fuelTankCapacity: number | null

  @Field(() => DateTime, { nullable: true, description: "In the provider's system." })
  @InstantColumn({ nullable: true })
  createdAt: number | null

  @Field(() => DateTime, { nullable: true, description: "In the provider's system." })
  @InstantColumn({ nullable: true })
  updatedAt: number | null

  @Field(() => EntityMetadata, {
    description: 'When it was stored and changed here, and whether lists show it.',
  })
  @Computed((row: Vehicle) => row)
  metadata?: EntityMetadata
}
