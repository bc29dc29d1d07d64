import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { pageType } from '../schema/page-types.ts'
import { selectsOnlyId } from '../schema/selection.ts'
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { RawData } from '../schema/value-types.ts'
import { Device } from './device.ts'
import { Group } from './group.ts'
import type { FleetContext } from './repository.ts'
import { Vehicle } from './vehicle.ts'
import { FilteredArgs } from './list-args.ts'

export const VehiclePage = pageType('Vehicle', () => Vehicle)

@Resolver(() => Vehicle)
export class VehicleResolver {
  @Query(() => VehiclePage, {
    description: 'The vehicles, by id, or by time of change where the filters ask for it.',
  })
  vehicles(
    @Args(() => FilteredArgs) args: FilteredArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Vehicle>> {
    return fleet.vehicles.page(args)
  }

  @Query(() => Vehicle, {
    nullable: true,
    description: 'One vehicle; null where there is none with this id.',
  })
  vehicle(
    @Arg('id', () => ID, { description: "The vehicle's id." }) id: string,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Vehicle | null> {
    return fleet.vehicles.byId.load(id)
  }

  @FieldResolver(() => [Group], { description: 'The groups it belongs to.' })
  groups(@Root() vehicle: Vehicle, @Ctx() { fleet }: FleetContext, @Info() info: GraphQLResolveInfo) {
    return groupsOf(vehicle.groupIds, fleet, info)
  }

  @FieldResolver(() => [Device], { description: 'The devices in it.' })
  devices(@Root() { id }: Vehicle, @Ctx() { fleet }: FleetContext, @Info() info: GraphQLResolveInfo) {
    return selectsOnlyId(info) ? fleet.deviceIdsOfVehicle.load(id) : fleet.devicesOfVehicle.load(id)
  }

  @FieldResolver(() => [RawData], { description: "The provider's records that this one was made from." })
  raw(@Root() vehicle: Vehicle, @Ctx() { fleet }: FleetContext) {
    return fleet.raw.load(vehicle.id)
  }
}

/** The groups of a record; where only ids are asked for, without a look-up. */
export function groupsOf(ids: readonly string[], fleet: FleetContext['fleet'], info: GraphQLResolveInfo) {
  return selectsOnlyId(info) ? ids.map(entityRef) : wholeGroups(ids, fleet)
}

async function wholeGroups(ids: readonly string[], fleet: FleetContext['fleet']): Promise<Group[]> {
  const groups = await Promise.all(ids.map((id) => fleet.groups.byId.load(id)))
  return groups.filter((group) => group !== null)
}

export const resolveVehicle = ({ id }: EntityRef, { fleet }: FleetContext): Promise<Vehicle | null> =>
  fleet.vehicles.byId.load(id)
