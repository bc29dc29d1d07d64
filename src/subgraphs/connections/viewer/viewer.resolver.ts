import type { GraphQLResolveInfo } from 'graphql'
import { Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql'
import type { Caller } from '../../../auth/caller.ts'
import { selectsOnlyId } from '../../schema/selection.ts'
import { Connection } from '../connection.ts'
import type { ConnectionsContext } from '../repository.ts'
import { Viewer, viewerOf } from './viewer.ts'

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, {
    nullable: true,
    description:
      'The key or session that sends the request, and what it may read. Every key and session may read it. Null without credentials.',
  })
  viewer(@Ctx() { caller }: { readonly caller: Caller }): Viewer | null {
    return viewerOf(caller)
  }

  @FieldResolver(() => [Connection], {
    nullable: true,
    description:
      'The connections to which the session or the connection token restricts the request. Null if nothing restricts it; `Query.connections` then lists all connections of the application.',
  })
  async connections(
    @Root() { connectionIds }: Viewer,
    @Ctx() context: ConnectionsContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (connectionIds === null || selectsOnlyId(info)) return connectionIds?.map((id) => ({ id })) ?? null
    const found = await context.connections.connection.loadMany(connectionIds)
    return found.filter((connection) => connection !== null)
  }
}
