import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/page.ts'
import { pageType } from '../page.ts'
import type { Mention } from '../stubs.ts'
import { RawData } from '../values.ts'
import { RecordArgs } from './filters.ts'
import type { RecordsContext } from './reads.ts'
import { SafetyEvent } from './safety-event.ts'

export const SafetyEventPage = pageType('SafetyEvent', () => SafetyEvent)

@Resolver(() => SafetyEvent)
export class SafetyEventResolver {
  @Query(() => SafetyEventPage, {
    description: 'The safety events, by their start, or by time of change where the filters ask for it.',
  })
  safetyEvents(
    @Args(() => RecordArgs) args: RecordArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<SafetyEvent>> {
    return records.safetyEvents.page(args)
  }

  @Query(() => SafetyEvent, {
    nullable: true,
    description: 'One safety event; null where there is none with this id.',
  })
  safetyEvent(
    @Arg('id', () => ID) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<SafetyEvent | null> {
    return records.safetyEvents.byId.load(id)
  }

  @FieldResolver(() => [RawData], { description: "The provider's records that this one was made from." })
  raw(@Root() event: SafetyEvent, @Ctx() { records }: RecordsContext) {
    return records.raw.load(event.id)
  }
}

export const resolveSafetyEvent = (
  { id }: Mention,
  { records }: RecordsContext,
): Promise<SafetyEvent | null> => records.safetyEvents.byId.load(id)
