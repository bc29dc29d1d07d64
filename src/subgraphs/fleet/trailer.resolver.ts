import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { pageType } from '../schema/page-types.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import { RawData } from '../schema/value-types.ts'
import { TrailerArgs } from './filters/roster-args.ts'
import { Group } from './group.ts'
import type { FleetContext } from './repository.ts'
import { Trailer } from './trailer.ts'
import { groupsOf } from './vehicle.resolver.ts'

export const TrailerPage = pageType('Trailer', () => Trailer)

@Resolver(() => Trailer)
export class TrailerResolver {
  @Query(() => TrailerPage, {
    nullable: true,
    description:
      'The trailers, ordered by id, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  trailers(
    @Args(() => TrailerArgs) args: TrailerArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Page<Trailer>> {
    return fleet.trailers.page(args, connectionIds)
  }

  @Query(() => Trailer, {
    nullable: true,
    description: 'The trailer with this id. Null if there is none.',
  })
  trailer(
    @Arg('id', () => ID, { description: "The trailer's id." }) id: string,
    @Ctx() { fleet }: FleetContext,
  ): Promise<Trailer | null> {
    return fleet.trailers.byId.load(idArgument('trailer', id))
  }

  @FieldResolver(() => [Group], { description: 'The groups of the trailer.' })
  groups(@Root() trailer: Trailer, @Ctx() { fleet }: FleetContext, @Info() info: GraphQLResolveInfo) {
    return groupsOf(trailer.groupIds, fleet, info)
  }

  @FieldResolver(() => [RawData], {
    description: "The provider's records from which this record was mapped.",
  })
  raw(@Root() trailer: Trailer, @Ctx() { fleet }: FleetContext) {
    return fleet.raw.load(trailer.id)
  }
}

export const resolveTrailer = ({ id }: EntityRef, { fleet }: FleetContext): Promise<Trailer | null> =>
  fleet.trailers.byId.load(id)
