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
import { idArgument } from '../../schema/id-arguments.ts'
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
  @Field(() => SyncStatus, { nullable: true, description: 'Only syncs with this status.' })
  status?: SyncStatus | null
}

@Resolver(() => Sync)
export class SyncResolver {
  @Query(() => Sync, { nullable: true, description: 'The sync with this id. Null if there is none.' })
  sync(
    @Arg('id', () => ID, { description: "The sync's id." }) id: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Sync | null> {
    return connections.sync.load(idArgument('sync', id))
  }

  @Query(() => SyncPage, { nullable: true, description: 'The syncs, newest first.' })
  syncs(
    @Args(() => SyncArgs) args: SyncArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Sync>> {
    return connections.syncs(args)
  }

  @Subscription(() => Sync, {
    name: 'syncProgress',
    description:
      'The current state of a sync, and each change of its progress until it ends. NOT_FOUND if there is no sync with the id.',
    subscribe: ({ context, args }) =>
      (context as ConnectionsContext).connections.syncProgress(idArgument('sync', args['syncId'], 'syncId')),
  })
  syncProgress(
    @Root() sync: Sync,
    @Arg('syncId', () => ID, { description: 'The id of the sync.' }) _id: string,
  ): Sync {
    return sync
  }

  @FieldResolver(() => Connection, { nullable: true, description: 'The connection of the sync.' })
  connection(
    @Root() { connectionId }: Sync,
    @Ctx() { connections }: ConnectionsContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return selectsOnlyId(info) ? entityRef(connectionId) : connections.connection.load(connectionId)
  }

  @FieldResolver(() => [Issue], { description: 'The issues of the sync: the data that it could not read.' })
  issues(@Root() { id }: Sync, @Ctx() { connections }: ConnectionsContext): Promise<Issue[]> {
    return connections.issuesOfSync(id)
  }
}

export const resolveSync = ({ id }: EntityRef, { connections }: ConnectionsContext): Promise<Sync | null> =>
  connections.sync.load(id)
