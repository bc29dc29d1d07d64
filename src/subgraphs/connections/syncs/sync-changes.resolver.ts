import { Arg, Ctx, Field, Float, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { DateTime } from '../../schema/scalars.ts'
import { ConnectionChoice } from '../connection-inputs.ts'
import type { SyncRequest } from './request-sync.ts'
import { ProviderRequest, Sync } from './sync.ts'
import type { ConnectionCommandsContext } from '../commands.ts'

@InputType({ description: 'What to sync: from where the last one ended, unless a start is given.' })
export class RequestSyncInput extends ConnectionChoice implements SyncRequest {
  @Field(() => DateTime, { nullable: true, description: 'The earliest record time.' })
  startFrom?: number | null

  @Field(() => Float, { nullable: true, description: 'So many days before now; wins over `startFrom`.' })
  days?: number | null

  @Field(() => [ProviderRequest], {
    nullable: true,
    description: 'Steps by hand at the provider to ask for.',
  })
  providerRequests?: ProviderRequest[] | null
}

@InputType({ description: 'A sync to take up again.' })
export class RetrySyncInput {
  @Field(() => ID, { description: 'Which sync.' })
  syncId: string
}

@InputType({ description: 'A sync to end.' })
export class CancelSyncInput {
  @Field(() => ID, { description: 'Which sync.' })
  syncId: string
}

@ObjectType({ simpleResolvers: true, description: 'What `requestSync` gives.' })
export class RequestSyncPayload {
  @Field(() => Sync, { description: 'The sync that will run.' })
  sync: Sync
}

@ObjectType({ simpleResolvers: true, description: 'What `retrySync` gives.' })
export class RetrySyncPayload {
  @Field(() => Sync, { description: 'The sync, waiting again.' })
  sync: Sync

  @Field(() => String, { description: 'What happens next.' })
  message: string
}

@ObjectType({ simpleResolvers: true, description: 'What `cancelSync` gives.' })
export class CancelSyncPayload {
  @Field(() => Sync, { description: 'The sync, ended.' })
  sync: Sync

  @Field(() => String, { description: 'What happens next.' })
  message: string
}

@Resolver()
export class SyncChangesResolver {
  @Mutation(() => RequestSyncPayload, {
    description:
      'Asks for a sync. While another of the connection is unfinished this is a conflict that names it.',
  })
  async requestSync(
    @Arg('input', () => RequestSyncInput, { description: 'What to read.' }) input: RequestSyncInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RequestSyncPayload> {
    return { sync: await writes.requestSync(input) }
  }

  @Mutation(() => RetrySyncPayload, { description: 'Takes a failed sync up again from where it stopped.' })
  async retrySync(
    @Arg('input', () => RetrySyncInput, { description: 'Which sync to try again.' }) input: RetrySyncInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RetrySyncPayload> {
    return { sync: await writes.retrySync(input), message: 'The sync will be run again.' }
  }

  @Mutation(() => CancelSyncPayload, {
    description: 'Ends a sync that is waiting or running: it has failed then, and can be retried.',
  })
  async cancelSync(
    @Arg('input', () => CancelSyncInput, { description: 'Which sync to stop.' }) input: CancelSyncInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CancelSyncPayload> {
    return { sync: await writes.cancelSync(input), message: 'The sync was cancelled. It can be retried.' }
  }
}
