import { Args, ArgsType, Ctx, Field, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { EventRow } from '../../storage/outbox.ts'
import type { Page } from '../../storage/pagination/pagination.ts'
import { pageType } from '../schema/page-types.ts'
import { Event } from './event.ts'
import type { EventFilter, EventsContext } from './repository.ts'

export const EventPage = pageType('Event', () => Event)

@ArgsType()
class FollowArgs implements EventFilter {
  @Field(() => [String], {
    nullable: true,
    description:
      'Only these types, such as vehicle.added. `*` is every type but those that must be named, as is leaving it out.',
  })
  types?: string[] | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these connections.' })
  connectionIds?: string[] | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The id of the last event seen: every later one follows, once, in order. GONE where the log no longer goes back to it.',
  })
  after?: string | null
}

@ArgsType()
class EventArgs extends FollowArgs {
  @Field(() => Int, { nullable: true, description: 'How many, 100 unless told; 1,000 at most.' })
  first?: number | null
}

@Resolver(() => Event)
export class EventResolver {
  @Query(() => EventPage, { description: 'The event log, oldest first.' })
  events(@Args(() => EventArgs) args: EventArgs, @Ctx() { events }: EventsContext): Promise<Page<EventRow>> {
    return events.page(args, args.first ?? null)
  }

  @Subscription(() => Event, {
    name: 'events',
    description: 'The event log as it grows: from the event after `after`, or from now on.',
    subscribe: ({ context, args }) => (context as EventsContext).events.follow(args),
  })
  eventLogged(@Root() entry: EventRow, @Args(() => FollowArgs) _args: FollowArgs): EventRow {
    return entry
  }
}
