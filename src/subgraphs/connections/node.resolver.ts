import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { invalidArgument } from '../../domain/errors.ts'
import { Node } from '../schema/node-interface.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import type { ConnectionsContext } from './repository.ts'

const MAX_IDS = 100

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'The record of any type with this id. Null if the caller has no such record.',
  })
  node(
    @Arg('id', () => ID, { description: 'The id of a record of any type.' }) id: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<EntityRef | null> {
    return connections.node(id)
  }

  @Query(() => [Node], {
    nullable: 'itemsAndList',
    description:
      'The records with the given ids, at most 100, in the same order. Null for each id without a record of the caller.',
  })
  nodes(
    @Arg('ids', () => [ID], { description: 'The ids of the records.' }) ids: string[],
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<(EntityRef | null)[]> {
    if (ids.length > MAX_IDS)
      throw invalidArgument('ids', `Request at most ${MAX_IDS} ids; ${ids.length} are too many.`)
    return Promise.all(ids.map((id) => connections.node(id, 'ids')))
  }
}
