import { Arg, Ctx, Field, FieldResolver, Mutation, ObjectType, Resolver, Root } from 'type-graphql'
import type { VehicleCommandsContext } from '../commands.ts'
import type { FleetContext } from '../repository.ts'
import { Vehicle } from '../vehicle.ts'
import { SetVehicleFactsInput } from './set-vehicle-facts-input.ts'
import { OwnVehicleFacts } from './vehicle-facts.ts'

@ObjectType({ simpleResolvers: true, description: 'The result of `setVehicleFacts`.' })
export class SetVehicleFactsPayload {
  @Field(() => Vehicle, { description: 'The vehicle with its facts.' })
  vehicle: Vehicle
}

@Resolver(() => Vehicle)
export class VehicleFactsResolver {
  @FieldResolver(() => OwnVehicleFacts, {
    nullable: true,
    description:
      "The application's own facts about the vehicle, which `setVehicleFacts` sets. Null if there are none.",
  })
  ownFacts(@Root() { id }: Vehicle, @Ctx() { fleet }: FleetContext): Promise<OwnVehicleFacts | null> {
    return fleet.ownFacts.load(id)
  }

  @Mutation(() => SetVehicleFactsPayload, {
    description:
      "Sets the application's own facts about a vehicle, for what its provider does not know or has wrong. Checks of fuel purchases use them. The fields of the vehicle itself stay those of the provider. Requires a secret key.",
  })
  async setVehicleFacts(
    @Arg('input', () => SetVehicleFactsInput, { description: 'The facts.' }) input: SetVehicleFactsInput,
    @Ctx() { vehicleCommands }: VehicleCommandsContext,
  ): Promise<SetVehicleFactsPayload> {
    return { vehicle: await vehicleCommands.setVehicleFacts(input) }
  }
}
