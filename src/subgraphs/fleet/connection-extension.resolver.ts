import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { EntityArgs } from '../schema/list-args.ts'
import { FleetConnectionExtension } from './connection-extension.ts'
import type { Device } from './device.ts'
import { DevicePage } from './device.resolver.ts'
import type { Driver } from './driver.ts'
import { DriverPage } from './driver.resolver.ts'
import type { Group } from './group.ts'
import { GroupPage } from './group.resolver.ts'
import { FilteredArgs } from './list-args.ts'
import type { FleetContext } from './repository.ts'
import type { Trailer } from './trailer.ts'
import { TrailerPage } from './trailer.resolver.ts'
import type { Vehicle } from './vehicle.ts'
import { VehiclePage } from './vehicle.resolver.ts'

@Resolver(() => FleetConnectionExtension)
export class FleetConnectionExtensionResolver {
  @FieldResolver(() => VehiclePage, { nullable: true, description: 'The vehicles of the connection.' })
  vehicles(
    @Root() { id }: FleetConnectionExtension,
    @Args(() => FilteredArgs) args: FilteredArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Vehicle>> {
    return fleet.vehicles.pageOfConnection(id, args)
  }

  @FieldResolver(() => DriverPage, { nullable: true, description: 'The drivers of the connection.' })
  drivers(
    @Root() { id }: FleetConnectionExtension,
    @Args(() => FilteredArgs) args: FilteredArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Driver>> {
    return fleet.drivers.pageOfConnection(id, args)
  }

  @FieldResolver(() => TrailerPage, { nullable: true, description: 'The trailers of the connection.' })
  trailers(
    @Root() { id }: FleetConnectionExtension,
    @Args(() => EntityArgs) args: EntityArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Trailer>> {
    return fleet.trailers.pageOfConnection(id, args)
  }

  @FieldResolver(() => GroupPage, { nullable: true, description: 'The groups of the connection.' })
  groups(
    @Root() { id }: FleetConnectionExtension,
    @Args(() => EntityArgs) args: EntityArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Group>> {
    return fleet.groups.pageOfConnection(id, args)
  }

  @FieldResolver(() => DevicePage, { nullable: true, description: 'The devices of the connection.' })
  devices(
    @Root() { id }: FleetConnectionExtension,
    @Args(() => EntityArgs) args: EntityArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Device>> {
    return fleet.devices.pageOfConnection(id, args)
  }
}
