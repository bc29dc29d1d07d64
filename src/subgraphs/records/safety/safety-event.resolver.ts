import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { pageType } from '../../schema/page-types.ts'
import type { EntityRef } from '../../schema/entity-references.ts'
import { CameraMedia } from './camera-media.ts'
import { RecordArgs } from '../list-args.ts'
import type { RecordsContext } from '../repository.ts'
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
    @Arg('id', () => ID, { description: "The safety event's id." }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<SafetyEvent | null> {
    return records.safetyEvents.byId.load(id)
  }

  @Query(() => CameraMedia, {
    nullable: true,
    description:
      'The films of a safety event, asked of the provider; null where there is no event with this id. Their addresses hold for an hour.',
  })
  cameraMedia(
    @Arg('safetyEventId', () => ID, { description: "The safety event's id." }) safetyEventId: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<CameraMedia | null> {
    return records.cameraMedia(safetyEventId)
  }
}

export const resolveSafetyEvent = (
  { id }: EntityRef,
  { records }: RecordsContext,
): Promise<SafetyEvent | null> => records.safetyEvents.byId.load(id)
