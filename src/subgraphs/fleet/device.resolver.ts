import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/page.ts'
import { EntityArgs } from '../filters.ts'
import { pageType } from '../page.ts'
import { selectsOnlyId } from '../selection.ts'
import { mention, type Mention } from '../stubs.ts'
import { RawData } from '../values.ts'
import { Device } from './device.ts'
import type { FleetContext } from './reads.ts'
import { Vehicle } from './vehicle.ts'

export const DevicePage = pageType('Device', () => Device)

@Resolver(() => Device)
export class DeviceResolver {
  @Query(() => DevicePage, {
    description: 'The devices, by id, or by time of change where the filters ask for it.',
  })
  devices(@Args(() => EntityArgs) args: EntityArgs, @Ctx() { fleet }: FleetContext): Promise<Page<Device>> {
    return fleet.devices.page(args)
  }

  @Query(() => Device, { nullable: true, description: 'One device; null where there is none with this id.' })
  device(
    @Arg('id', () => ID, { description: "The device's id." }) id: string,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Device | null> {
    return fleet.devices.byId.load(id)
  }

  @FieldResolver(() => Vehicle, { nullable: true, description: 'The vehicle it is in.' })
  vehicle(@Root() { vehicleId }: Device, @Ctx() { fleet }: FleetContext, @Info() info: GraphQLResolveInfo) {
    return vehicleId === null || selectsOnlyId(info)
      ? mention(vehicleId)
      : fleet.vehicles.byId.load(vehicleId)
  }

  @FieldResolver(() => [RawData], { description: "The provider's records that this one was made from." })
  raw(@Root() device: Device, @Ctx() { fleet }: FleetContext) {
    return fleet.raw.load(device.id)
  }
}

export const resolveDevice = ({ id }: Mention, { fleet }: FleetContext): Promise<Device | null> =>
  fleet.devices.byId.load(id)
