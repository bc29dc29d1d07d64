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
import { PageArgs, pageType } from '../schema/page-types.ts'
import { DateTime } from '../schema/scalars.ts'
import { selectsOnlyId } from '../schema/selection.ts'
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { Agreement } from './agreement.ts'
import { Connection, ConnectionStatus } from './connection.ts'
import { Provider } from './providers/provider.ts'
import { type ConnectionFilter, type ConnectionsContext, Order } from './repository.ts'
import { Sync } from './syncs/sync.ts'

export const ConnectionPage = pageType('Connection', () => Connection)

registerEnumType(Order, {
  name: 'Order',
  description: 'In which direction a list runs.',
  valuesConfig: { ASC: { description: 'Oldest first.' }, DESC: { description: 'Newest first.' } },
})

@ArgsType()
export class ConnectionArgs extends PageArgs implements ConnectionFilter {
  @Field(() => String, {
    nullable: true,
    description: "Only those with this identifier of the caller's own.",
  })
  externalId?: string | null

  @Field(() => String, { nullable: true, description: 'Only those of the company with this US DOT number.' })
  dotNumber?: string | null

  @Field(() => String, { nullable: true, description: 'Only those with this label.' })
  tag?: string | null

  @Field(() => DateTime, { nullable: true, description: 'Only those updated at or after this moment.' })
  updatedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only those updated at or before this moment.' })
  updatedBefore?: number | null

  @Field(() => ConnectionStatus, { nullable: true, description: 'Only those in this state.' })
  status?: ConnectionStatus | null

  @Field(() => String, { nullable: true, description: 'Only those of the provider with this code.' })
  provider?: string | null

  @Field(() => Order, { defaultValue: Order.ASC, description: 'Oldest or newest first.' })
  order?: Order
}

@Resolver(() => Connection)
export class ConnectionResolver {
  @Query(() => Connection, {
    nullable: true,
    description: 'The connection of the connection token that the request carries, or one by its id.',
  })
  connection(
    @Arg('id', () => ID, {
      nullable: true,
      description: "The connection's id; that of the connection token where it is absent.",
    })
    id: string | null,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Connection | null> {
    const asked = id ?? onlyConnectionOf(connections.caller)
    if (asked === null) throw missingConnection()
    return connections.connection.load(asked)
  }

  @Query(() => ConnectionPage, {
    description: 'The connections of the application, oldest first unless told.',
  })
  connections(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Connection>> {
    return connections.connections(args)
  }

  @FieldResolver(() => Provider, { description: 'The provider that the account is with.' })
  provider(@Root() connection: Connection, @Ctx() { connections }: ConnectionsContext): Manifest {
    const adapter = connections.registry.find(connection.provider)
    if (!adapter) throw new Error(`no adapter for ${connection.provider}`)
    return adapter.manifest
  }

  @FieldResolver(() => String, {
    description: 'The connection token: it narrows a request to this connection.',
  })
  token(@Root() connection: Connection, @Ctx() { connections }: ConnectionsContext): string {
    return connections.tokenOf(connection)
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Where the fleet signs in again. Null once the data of the connection is being deleted.',
  })
  linkUrl(
    @Root() connection: Connection,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<string | null> {
    return connections.linkUrlOf(connection)
  }

  @FieldResolver(() => [Agreement], { description: 'What the fleet has consented to.' })
  agreements(
    @Root() connection: Connection,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Agreement[]> {
    return connections.agreements.load(connection.id)
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
}

export const resolveConnection = (
  { id }: EntityRef,
  { connections }: ConnectionsContext,
): Promise<Connection | null> => connections.connection.load(id)
