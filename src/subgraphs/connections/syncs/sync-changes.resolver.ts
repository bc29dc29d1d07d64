import { Arg, Ctx, Field, Float, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { DateTime } from '../../schema/scalars.ts'
import { ConnectionChoice } from '../connection-inputs.ts'
import type { SyncRequest } from './request-sync.ts'
import { ProviderRequest, Sync } from './sync.ts'
import type { ConnectionCommandsContext } from '../commands.ts'

@InputType({
  description: 'The sync to request. Without a start, it continues from the end of the last sync.',
})
export class RequestSyncInput extends ConnectionChoice implements SyncRequest {
  @Field(() => DateTime, { nullable: true, description: 'The earliest record time.' })
  startFrom?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'The start as a number of days before now. Takes precedence over `startFrom`.',
  })
  days?: number | null

  @Field(() => [ProviderRequest], {
    nullable: true,
    description: 'The manual steps at the provider to request.',
  })
  providerRequests?: ProviderRequest[] | null
}

@InputType({ description: 'The sync to retry.' })
export class RetrySyncInput {
  @Field(() => ID, { description: 'The id of the sync.' })
  syncId: string
}

@InputType({ description: 'The sync to cancel.' })
export class CancelSyncInput {
  @Field(() => ID, { description: 'The id of the sync.' })
  syncId: string
}

@ObjectType({ simpleResolvers: true, description: 'The result of `requestSync`.' })
export class RequestSyncPayload {
  @Field(() => Sync, { description: 'The requested sync.' })
  sync: Sync
}

@ObjectType({ simpleResolvers: true, description: 'The result of `retrySync`.' })
export class RetrySyncPayload {
  @Field(() => Sync, { description: 'The sync, which waits for a worker again.' })
  sync: Sync

  @Field(() => String, { description: 'A description of the next step.' })
  message: string
}

@ObjectType({ simpleResolvers: true, description: 'The result of `cancelSync`.' })
export class CancelSyncPayload {
  @Field(() => Sync, { description: 'The cancelled sync.' })
  sync: Sync

  @Field(() => String, { description: 'A description of the next step.' })
  message: string
}

@Resolver()
export class SyncChangesResolver {
  @Mutation(() => RequestSyncPayload, {
    description:
      'Requests a sync. While the connection has an unfinished sync, the request fails with a conflict that contains its id.',
  })
  async requestSync(
    @Arg('input', () => RequestSyncInput, { description: 'The connection and the start time.' })
    input: RequestSyncInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RequestSyncPayload> {
    return { sync: await writes.requestSync(input) }
  }

  @Mutation(() => RetrySyncPayload, { description: 'Retries a failed sync from the point where it stopped.' })
  async retrySync(
    @Arg('input', () => RetrySyncInput, { description: 'The sync to retry.' }) input: RetrySyncInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RetrySyncPayload> {
    return { sync: await writes.retrySync(input), message: 'The sync will be run again.' }
  }

  @Mutation(() => CancelSyncPayload, {
    description: 'Cancels a waiting or running sync. Its status is then FAILED, and it can be retried.',
  })
  async cancelSync(
    @Arg('input', () => CancelSyncInput, { description: 'The sync to cancel.' }) input: CancelSyncInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CancelSyncPayload> {
    return { sync: await writes.cancelSync(input), message: 'The sync was cancelled. It can be retried.' }
  }
}
