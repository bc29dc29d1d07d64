import { Arg, Args, ArgsType, Ctx, Field, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { EventRow } from '../../storage/outbox.ts'
import type { Page } from '../../storage/pagination/pagination.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { pageType } from '../schema/page-types.ts'
import { Event } from './event.ts'
import type { EventFilter, EventPageFilter, EventsContext } from './repository.ts'

export const EventPage = pageType('Event', () => Event)

@ArgsType()
class FollowArgs implements EventFilter {
  @Field(() => [String], {
    nullable: true,
    description:
      'Only events of these types, such as vehicle.added. `*` stands for all types that are not opt-in, and is the default.',
  })
  types?: string[] | null

  @Field(() => [ID], { nullable: true, description: 'Only events of these connections.' })
  connectionIds?: string[] | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The id of the last event that you handled. All later events follow, each once and in order. Error GONE if the log no longer contains this event.',
  })
  after?: string | null
}

@ArgsType()
class EventArgs extends FollowArgs implements EventPageFilter {
  @Field(() => Int, {
    nullable: true,
    description: 'Number of events from the start of the log. Default 100, maximum 1,000.',
  })
  first?: number | null

  @Field(() => Int, { nullable: true, description: 'Number of events from the end of the log.' })
  last?: number | null

  @Field(() => ID, {
    nullable: true,
    description: 'Only events before the event with this id. Error GONE if the log no longer contains it.',
  })
  before?: string | null
}

@Resolver(() => Event)
export class EventResolver {
  @Query(() => EventPage, { nullable: true, description: 'The event log, oldest first.' })
  events(@Args(() => EventArgs) args: EventArgs, @Ctx() { events }: EventsContext): Promise<Page<EventRow>> {
    return events.page(args)
  }

  @Query(() => Event, {
    nullable: true,
    description: 'The event with this id. Null if the log has none, or no longer contains it.',
  })
  event(
    @Arg('id', () => ID, { description: 'The id of the event, which begins with evt_.' }) id: string,
    @Ctx() { events }: EventsContext,
  ): Promise<EventRow | null> {
    return events.event.load(idArgument('event', id))
  }

  @Subscription(() => Event, {
    name: 'events',
    description:
      'Events of the log, stored and new, after the event `after`. Without `after`, only events from now on.',
    subscribe: ({ context, args }) => (context as EventsContext).events.follow(args),
  })
  eventLogged(@Root() entry: EventRow, @Args(() => FollowArgs) _args: FollowArgs): EventRow {
    return entry
  }
}
