import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { pageType } from '../schema/page-types.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import { RawData } from '../schema/value-types.ts'
import { Driver } from './driver.ts'
import { DriverArgs } from './filters/roster-args.ts'
import { Group } from './group.ts'
import type { FleetContext } from './repository.ts'
import { groupsOf } from './vehicle.resolver.ts'

export const DriverPage = pageType('Driver', () => Driver)

@Resolver(() => Driver)
export class DriverResolver {
  @Query(() => DriverPage, {
    nullable: true,
    description:
      'The drivers, in the order of `orderBy`. The default order is by id, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  drivers(
    @Args(() => DriverArgs) args: DriverArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Driver>> {
    return fleet.drivers.page(args, connectionIds)
  }

  @Query(() => Driver, { nullable: true, description: 'The driver with this id. Null if there is none.' })
  driver(
    @Arg('id', () => ID, { description: "The driver's id." }) id: string,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Driver | null> {
    return fleet.drivers.byId.load(idArgument('driver', id))
  }

  @FieldResolver(() => [Group], { description: 'The groups of the driver.' })
  groups(@Root() driver: Driver, @Ctx() { fleet }: FleetContext, @Info() info: GraphQLResolveInfo) {
    return groupsOf(driver.groupIds, fleet, info)
  }

  @FieldResolver(() => [RawData], {
    description: "The provider's records from which this record was mapped.",
  })
  raw(@Root() driver: Driver, @Ctx() { fleet }: FleetContext) {
    return fleet.raw.load(driver.id)
  }
}

export const resolveDriver = ({ id }: EntityRef, { fleet }: FleetContext): Promise<Driver | null> =>
  fleet.drivers.byId.load(id)
