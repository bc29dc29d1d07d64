import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { EntityArgs } from '../schema/list-args.ts'
import { pageType } from '../schema/page-types.ts'
import { selectsOnlyId } from '../schema/selection.ts'
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { RawData } from '../schema/value-types.ts'
import type { Driver } from './driver.ts'
import { DriverPage } from './driver.resolver.ts'
import { Group } from './group.ts'
import { FilteredArgs } from './list-args.ts'
import type { FleetContext } from './repository.ts'
import type { Trailer } from './trailer.ts'
import { TrailerPage } from './trailer.resolver.ts'
import type { Vehicle } from './vehicle.ts'
import { VehiclePage } from './vehicle.resolver.ts'

export const GroupPage = pageType('Group', () => Group)

@Resolver(() => Group)
export class GroupResolver {
  @Query(() => GroupPage, {
    nullable: true,
    description:
      'The groups, ordered by id, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  groups(
    @Args(() => EntityArgs) args: EntityArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Group>> {
    return fleet.groups.page(args, connectionIds)
  }

  @Query(() => Group, { nullable: true, description: 'The group with this id. Null if there is none.' })
  group(
    @Arg('id', () => ID, { description: "The group's id." }) id: string,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Group | null> {
    return fleet.groups.byId.load(idArgument('group', id))
  }

  @FieldResolver(() => Group, {
    nullable: true,
    description: 'The parent group. Null for a top-level group.',
  })
  parent(@Root() { parentId }: Group, @Ctx() { fleet }: FleetContext, @Info() info: GraphQLResolveInfo) {
    return parentId === null || selectsOnlyId(info) ? entityRef(parentId) : fleet.groups.byId.load(parentId)
  }

  @FieldResolver(() => GroupPage, {
    nullable: true,
    description: 'The groups directly below the group, ordered as the list `groups`.',
  })
  children(
    @Root() group: Group,
    @Args(() => EntityArgs) args: EntityArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Group>> {
    return fleet.groups.pageOfChildren(group, args)
  }

  @FieldResolver(() => VehiclePage, {
    nullable: true,
    description:
      'The vehicles that the provider assigns to the group itself, not to groups below it, ordered as the list `vehicles`.',
  })
  vehicles(
    @Root() group: Group,
    @Args(() => FilteredArgs) args: FilteredArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Vehicle>> {
    return fleet.vehicles.pageOfGroup(group, args)
  }

  @FieldResolver(() => DriverPage, {
    nullable: true,
    description:
      'The drivers that the provider assigns to the group itself, not to groups below it, ordered as the list `drivers`.',
  })
  drivers(
    @Root() group: Group,
    @Args(() => FilteredArgs) args: FilteredArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Driver>> {
    return fleet.drivers.pageOfGroup(group, args)
  }

  @FieldResolver(() => TrailerPage, {
    nullable: true,
    description:
      'The trailers that the provider assigns to the group itself, not to groups below it, ordered as the list `trailers`.',
  })
  trailers(
    @Root() group: Group,
    @Args(() => EntityArgs) args: EntityArgs,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Trailer>> {
    return fleet.trailers.pageOfGroup(group, args)
  }

  @FieldResolver(() => [RawData], {
    description: "The provider's records from which this record was mapped.",
  })
  raw(@Root() group: Group, @Ctx() { fleet }: FleetContext) {
    return fleet.raw.load(group.id)
  }
}

export const resolveGroup = ({ id }: EntityRef, { fleet }: FleetContext): Promise<Group | null> =>
  fleet.groups.byId.load(id)
