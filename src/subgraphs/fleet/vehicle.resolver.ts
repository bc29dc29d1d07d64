import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { pageType } from '../schema/page-types.ts'
import { selectsOnlyId } from '../schema/selection.ts'
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { RawData } from '../schema/value-types.ts'
import { Device } from './device.ts'
import { Group } from './group.ts'
import type { FleetContext } from './repository.ts'
import { Vehicle } from './vehicle.ts'
import { VehicleArgs } from './filters/roster-args.ts'

export const VehiclePage = pageType('Vehicle', () => Vehicle)

@Resolver(() => Vehicle)
export class VehicleResolver {
  @Query(() => VehiclePage, {
    nullable: true,
    description:
      'The vehicles, in the order of `orderBy`. The default order is by id, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  vehicles(
    @Args(() => VehicleArgs) args: VehicleArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Vehicle>> {
    return fleet.vehicles.page(args, connectionIds)
  }

  @Query(() => Vehicle, {
    nullable: true,
    description: 'The vehicle with this id. Null if there is none.',
  })
  vehicle(
    @Arg('id', () => ID, { description: "The vehicle's id." }) id: string,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Vehicle | null> {
    return fleet.vehicles.byId.load(idArgument('vehicle', id))
  }

  @FieldResolver(() => [Group], { description: 'The groups of the vehicle.' })
  groups(@Root() vehicle: Vehicle, @Ctx() { fleet }: FleetContext, @Info() info: GraphQLResolveInfo) {
    return groupsOf(vehicle.groupIds, fleet, info)
  }

  @FieldResolver(() => [Device], { description: 'The devices in the vehicle.' })
  devices(@Root() { id }: Vehicle, @Ctx() { fleet }: FleetContext, @Info() info: GraphQLResolveInfo) {
    return selectsOnlyId(info) ? fleet.deviceIdsOfVehicle.load(id) : fleet.devicesOfVehicle.load(id)
  }

  @FieldResolver(() => [RawData], {
    description: "The provider's records from which this record was mapped.",
  })
  raw(@Root() vehicle: Vehicle, @Ctx() { fleet }: FleetContext) {
    return fleet.raw.load(vehicle.id)
  }
}

/**
 * Returns the groups of a vehicle, driver or trailer. If only ids are selected, returns references without a read of the
 * database.
 */
export function groupsOf(ids: readonly string[], fleet: FleetContext['fleet'], info: GraphQLResolveInfo) {
  return selectsOnlyId(info) ? ids.map(entityRef) : loadGroups(ids, fleet)
}

async function loadGroups(ids: readonly string[], fleet: FleetContext['fleet']): Promise<Group[]> {
  const groups = await Promise.all(ids.map((id) => fleet.groups.byId.load(id)))
  return groups.filter((group) => group !== null)
}

export const resolveVehicle = ({ id }: EntityRef, { fleet }: FleetContext): Promise<Vehicle | null> =>
  fleet.vehicles.byId.load(id)
