import { Field, Float, ID, InputType, Int } from 'type-graphql'
import { FuelType } from '../vehicle.ts'

@InputType({
  description:
    "The application's own facts about a vehicle. They replace its earlier facts as a whole. Without any fact, the vehicle has none afterwards.",
})
export class SetVehicleFactsInput {
  @Field(() => ID, { description: 'The vehicle.' })
  vehicleId: string

  @Field(() => Float, {
    nullable: true,
    description: 'The fuel capacity of all tanks together: more than 0, at most 10,000 liters.',
  })
  fuelTankCapacity?: number | null

  @Field(() => Int, { nullable: true, description: 'The number of fuel tanks: 1 to 10.' })
  fuelTankCount?: number | null

  @Field(() => FuelType, { nullable: true, description: 'The fuel type.' })
  fuelType?: FuelType | null

  @Field(() => Float, {
    nullable: true,
    description: 'The expected fuel consumption: more than 0, at most 1,000 liters per 100 km.',
  })
  fuelConsumption?: number | null

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether the facts come before the provider's values. Default: false.",
  })
  overrules?: boolean | null
}
