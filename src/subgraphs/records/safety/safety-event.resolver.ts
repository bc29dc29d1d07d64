import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../../schema/connection-ids.ts'
import { idArgument } from '../../schema/id-arguments.ts'
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
    nullable: true,
    description:
      'The safety events, ordered by start, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  safetyEvents(
    @Args(() => RecordArgs) args: RecordArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<SafetyEvent>> {
    return records.safetyEvents.page(args, connectionIds)
  }

  @Query(() => SafetyEvent, {
    nullable: true,
    description: 'The safety event with this id. Null if there is none.',
  })
  safetyEvent(
    @Arg('id', () => ID, { description: "The safety event's id." }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<SafetyEvent | null> {
    return records.safetyEvents.byId.load(idArgument('safetyEvent', id))
  }

  @Query(() => CameraMedia, {
    nullable: true,
    description:
      'The videos of a safety event. Each query requests them from the provider. Null if there is no safety event with this id. The URLs are valid for an hour.',
  })
  cameraMedia(
    @Arg('safetyEventId', () => ID, { description: "The safety event's id." }) safetyEventId: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<CameraMedia | null> {
    return records.cameraMedia(idArgument('safetyEvent', safetyEventId, 'safetyEventId'))
  }
}

export const resolveSafetyEvent = (
  { id }: EntityRef,
  { records }: RecordsContext,
): Promise<SafetyEvent | null> => records.safetyEvents.byId.load(id)
