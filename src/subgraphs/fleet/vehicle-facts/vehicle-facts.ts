import { Field, Float, Int, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import { IdColumn, Indexes, InstantColumn, KeyColumn, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'
import { FuelType } from '../vehicle.ts'

/** Facts that are null if the application has not set them. */
export interface FactValues {
  readonly fuelTankCapacity: number | null
  readonly fuelTankCount: number | null
  readonly fuelType: FuelType | null
  readonly fuelConsumption: number | null
}

@Entity('vehicle_facts')
@Indexes(['connectionId', 'vehicleId'], ['applicationId', 'vehicleId'])
@ObjectType('VehicleFacts', {
  simpleResolvers: true,
  description: 'Facts about a vehicle that the application has set. A sync does not change them.',
})
export class OwnVehicleFacts implements FactValues {
  @KeyColumn()
  vehicleId: Id<'vehicle'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => Float, { nullable: true, description: 'The fuel capacity of all tanks together in liters.' })
  @NumberColumn({ nullable: true })
  fuelTankCapacity: number | null

  @Field(() => Int, { nullable: true, description: 'The number of fuel tanks.' })
  @NumberColumn({ nullable: true })
  fuelTankCount: number | null

  @Field(() => FuelType, { nullable: true, description: 'The fuel type.' })
  @IdColumn({ nullable: true })
  fuelType: FuelType | null

  @Field(() => Float, { nullable: true, description: 'The expected fuel consumption in liters per 100 km.' })
  @NumberColumn({ nullable: true })
  fuelConsumption: number | null

  /** 1 or 0: SQL has no booleans. */
  @Field(() => Boolean, {
    description:
      "Whether the facts come before the provider's values. If not, they are used where the provider has none.",
  })
  @Computed(({ overrules }: OwnVehicleFacts) => overrules === 1)
  @NumberColumn()
  overrules: number

  @Field(() => DateTime, { description: 'When the facts were set.' })
  @InstantColumn()
  modifiedAt: Instant
}
