import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import { selectsOnlyId } from '../../schema/selection.ts'
import { entityRef, type EntityRef } from '../../schema/entity-references.ts'
import { Connection } from '../connection.ts'
import { Issue } from '../issues/issue.ts'
import type { ConnectionsContext, SyncFilter } from '../repository.ts'
import { Sync, SyncStatus } from './sync.ts'

export const SyncPage = pageType('Sync', () => Sync)

@ArgsType()
export class SyncArgs extends PageArgs implements SyncFilter {
  @Field(() => SyncStatus, { nullable: true, description: 'Only those that are this far.' })
  status?: SyncStatus | null
}

@Resolver(() => Sync)
export class SyncResolver {
  @Query(() => Sync, { nullable: true, description: 'One sync; null where there is none with this id.' })
  sync(
    @Arg('id', () => ID, { description: "The sync's id." }) id: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Sync | null> {
    return connections.sync.load(id)
  }

  @Query(() => SyncPage, { description: 'The syncs, newest first.' })
  syncs(
    @Args(() => SyncArgs) args: SyncArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Sync>> {
    return connections.syncs(args)
  }

  @Subscription(() => Sync, {
    name: 'syncProgress',
    description:
      'A sync as it is, and each time that it has gone on, until it ends. NOT_FOUND where there is none with this id.',
    subscribe: ({ context, args }) =>
      (context as ConnectionsContext).connections.syncProgress(args['syncId']),
  })
  syncWentOn(@Root() sync: Sync, @Arg('syncId', () => ID, { description: 'Which sync.' }) _id: string): Sync {
    return sync
  }

  @FieldResolver(() => Connection, { nullable: true, description: 'The connection that it reads.' })
  connection(
    @Root() { connectionId }: Sync,
    @Ctx() { connections }: ConnectionsContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return selectsOnlyId(info) ? entityRef(connectionId) : connections.connection.load(connectionId)
  }

  @FieldResolver(() => [Issue], { description: 'What it could not read, while it read the rest.' })
  issues(@Root() { id }: Sync, @Ctx() { connections }: ConnectionsContext): Promise<Issue[]> {
    return connections.issuesOfSync(id)
  }
}

export const resolveSync = ({ id }: EntityRef, { connections }: ConnectionsContext): Promise<Sync | null> =>
  connections.sync.load(id)
