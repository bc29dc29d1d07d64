import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { EntityArgs } from '../schema/list-args.ts'
import { pageType } from '../schema/page-types.ts'
import { selectsOnlyId } from '../schema/selection.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import { RawData } from '../schema/value-types.ts'
import { Device } from './device.ts'
import type { VisibleContext } from '../tables/visible-reads.ts'
import type { FleetContext } from './repository.ts'
import { Vehicle } from './vehicle.ts'

export const DevicePage = pageType('Device', () => Device)

@Resolver(() => Device)
export class DeviceResolver {
  @Query(() => DevicePage, {
    nullable: true,
    description:
      'The devices, ordered by id, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  devices(
    @Args(() => EntityArgs) args: EntityArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Device>> {
    return fleet.devices.page(args, connectionIds)
  }

  @Query(() => Device, { nullable: true, description: 'The device with this id. Null if there is none.' })
  device(
    @Arg('id', () => ID, { description: "The device's id." }) id: string,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Device | null> {
    return fleet.devices.byId.load(idArgument('device', id))
  }

  @FieldResolver(() => Vehicle, {
    nullable: true,
    description: 'The vehicle that contains the device. Null if unknown or hidden.',
  })
  async vehicle(
    @Root() { vehicleId }: Device,
    @Ctx() { fleet, visible }: FleetContext & VisibleContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const reference = await visible.reference('vehicles', vehicleId)
    return reference === null || selectsOnlyId(info) ? reference : fleet.vehicles.byId.load(reference.id)
  }

  @FieldResolver(() => [RawData], {
    description: "The provider's records from which this record was mapped.",
  })
  raw(@Root() device: Device, @Ctx() { fleet }: FleetContext) {
    return fleet.raw.load(device.id)
  }
}

export const resolveDevice = ({ id }: EntityRef, { fleet }: FleetContext): Promise<Device | null> =>
  fleet.devices.byId.load(id)
