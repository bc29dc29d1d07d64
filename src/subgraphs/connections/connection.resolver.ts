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
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql'
import { missingConnection } from '../../auth/caller.ts'
import type { Manifest } from '../../providers/provider.ts'
import type { Page } from '../../storage/pagination/pagination.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { PageArgs, pageType } from '../schema/page-types.ts'
import { DateTime } from '../schema/scalars.ts'
import { selectsOnlyId } from '../schema/selection.ts'
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { Agreement } from './agreement.ts'
import { Connection, ConnectionStatus } from './connection.ts'
import { Provider } from './providers/provider.ts'
import type { Issue } from './issues/issue.ts'
import { ConnectionIssueArgs, IssuePage } from './issues/issue.resolver.ts'
import { DELETION_GRACE_MS } from './lifecycle/delete-connection.ts'
import { HeldRemoval } from './removals/held-removal.ts'
import { type ConnectionFilter, type ConnectionsContext, Order } from './repository.ts'
import { Sync } from './syncs/sync.ts'
import { SyncArgs, SyncPage } from './syncs/sync.resolver.ts'

export const ConnectionPage = pageType('Connection', () => Connection)

registerEnumType(Order, {
  name: 'Order',
  description: 'The order of a list.',
  valuesConfig: { ASC: { description: 'Oldest first.' }, DESC: { description: 'Newest first.' } },
})

@ArgsType()
export class ConnectionArgs extends PageArgs implements ConnectionFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Only connections with this identifier of the caller.',
  })
  externalId?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Only connections of the company with this US DOT number.',
  })
  dotNumber?: string | null

  @Field(() => String, { nullable: true, description: 'Only connections with this label.' })
  tag?: string | null

  @Field(() => DateTime, { nullable: true, description: 'Only connections updated at or after this time.' })
  updatedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only connections updated at or before this time.' })
  updatedBefore?: number | null

  @Field(() => ConnectionStatus, { nullable: true, description: 'Only connections with this status.' })
  status?: ConnectionStatus | null

  @Field(() => String, { nullable: true, description: 'Only connections of the provider with this code.' })
  provider?: string | null

  @Field(() => Order, { defaultValue: Order.ASC, description: 'The order of the connections.' })
  order?: Order
}

@Resolver(() => Connection)
export class ConnectionResolver {
  @Query(() => Connection, {
    nullable: true,
    description:
      'The connection with this id, or the connection of the connection token. Null if there is none.',
  })
  connection(
    @Arg('id', () => ID, {
      nullable: true,
      description: 'The id of the connection. Default: the connection of the connection token.',
    })
    id: string | null,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Connection | null> {
    const connectionId = id ?? onlyConnectionOf(connections.caller)
    if (connectionId === null) throw missingConnection()
    return connections.connection.load(idArgument('connection', connectionId))
  }

  @Query(() => ConnectionPage, {
    nullable: true,
    description: 'The connections of the application, oldest first by default.',
  })
  connections(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Connection>> {
    return connections.connections(args)
  }

  @FieldResolver(() => Provider, { description: 'The provider of the account.' })
  provider(@Root() connection: Connection, @Ctx() { connections }: ConnectionsContext): Manifest {
    const adapter = connections.registry.find(connection.provider)
    if (!adapter) throw new Error(`The provider ${connection.provider} has no adapter`)
    return adapter.manifest
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The connection token. It restricts a request to this connection. A session cannot read it.',
  })
  token(@Root() connection: Connection, @Ctx() { connections }: ConnectionsContext): string {
    return connections.tokenOf(connection)
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The URL where the fleet signs in again. Null once the data of the connection is being deleted.',
  })
  linkUrl(
    @Root() connection: Connection,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<string | null> {
    return connections.linkUrlOf(connection)
  }

  @FieldResolver(() => [Agreement], { description: 'The agreements that the fleet has accepted.' })
  agreements(
    @Root() connection: Connection,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Agreement[]> {
    return connections.agreements.load(connection.id)
  }

  @FieldResolver(() => [HeldRemoval], {
    description: 'The removals of many records that wait for a second sync or a decision.',
  })
  heldRemovals(
    @Root() { id }: Connection,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<HeldRemoval[]> {
    return connections.heldRemovalsOfConnection(id)
  }

  @FieldResolver(() => Sync, { nullable: true, description: 'The latest sync.' })
  lastSync(
    @Root() { lastSyncId }: Connection,
    @Ctx() { connections }: ConnectionsContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return lastSyncId === null || selectsOnlyId(info)
      ? entityRef(lastSyncId)
      : connections.sync.load(lastSyncId)
  }

  @FieldResolver(() => SyncPage, {
    nullable: true,
    description: 'The syncs of the connection, newest first.',
  })
  syncs(
    @Root() { id }: Connection,
    @Args(() => SyncArgs) args: SyncArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Sync>> {
    return connections.syncsOfConnection(id, args)
  }

  @FieldResolver(() => IssuePage, {
    nullable: true,
    description: 'The issues of the connection, ordered by id.',
  })
  issues(
    @Root() { id }: Connection,
    @Args(() => ConnectionIssueArgs) args: ConnectionIssueArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Issue>> {
    return connections.issuesOfConnection(id, args)
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'When the last successful sync completed. Null before the first one, and after the data is deleted.',
  })
  lastSuccessfulSyncAt(
    @Root() { id }: Connection,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<number | null> {
    return connections.lastSuccessfulSyncAt(id)
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'When the connection was disconnected, by the provider or by a caller. Null unless the status is DISCONNECTED, and if an earlier version of Odograph, which did not store the time, disconnected it.',
  })
  disconnectedAt(@Root() { status, lastDisconnectedAt }: Connection): number | null {
    return status === ConnectionStatus.DISCONNECTED ? lastDisconnectedAt : null
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'When the deletion of the data begins: 24 hours after it was requested. It can be cancelled until then. The time stays during and after the deletion. Null if no deletion was requested, or if it was cancelled.',
  })
  deletionScheduledAt(@Root() { deletionRequestedAt }: Connection): number | null {
    return deletionRequestedAt === null ? null : deletionRequestedAt + DELETION_GRACE_MS
  }
}

export const resolveConnection = (
  { id }: EntityRef,
  { connections }: ConnectionsContext,
): Promise<Connection | null> => connections.connection.load(id)
