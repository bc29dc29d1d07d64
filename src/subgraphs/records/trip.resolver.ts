import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { pageType } from '../schema/page-types.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import { RecordArgs, TripArgs } from './list-args.ts'
import type { RecordsContext } from './repository.ts'
import type { SafetyEvent } from './safety/safety-event.ts'
import { SafetyEventPage } from './safety/safety-event.resolver.ts'
import { Trip } from './trip.ts'

export const TripPage = pageType('Trip', () => Trip)

@Resolver(() => Trip)
export class TripResolver {
  @Query(() => TripPage, {
    nullable: true,
    description:
      'The trips, ordered by start, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  trips(
    @Args(() => TripArgs) args: TripArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<Trip>> {
    return records.trips.page(args, connectionIds)
  }

  @Query(() => Trip, { nullable: true, description: 'The trip with this id. Null if there is none.' })
  trip(
    @Arg('id', () => ID, { description: "The trip's id." }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<Trip | null> {
    return records.trips.byId.load(idArgument('trip', id))
  }

  @FieldResolver(() => SafetyEventPage, {
    nullable: true,
    description:
      "The safety events of the trip's vehicle that started during the trip: at or after its start, and before its end. Ordered by start.",
  })
  safetyEvents(
    @Root() trip: Trip,
    @Args(() => RecordArgs) args: RecordArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<SafetyEvent>> {
    return records.safetyEventsOfTrip(trip, args)
  }
}

export const resolveTrip = ({ id }: EntityRef, { records }: RecordsContext): Promise<Trip | null> =>
  records.trips.byId.load(id)
