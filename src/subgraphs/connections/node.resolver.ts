import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { PublicError } from '../../domain/errors.ts'
import { Node } from '../schema/node-interface.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import type { ConnectionsContext } from './repository.ts'

const MAX_IDS = 100

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'Any record by its id; null where the caller has none such.',
  })
  node(
    @Arg('id', () => ID, { description: "The record's id, of any kind." }) id: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<EntityRef | null> {
    return connections.node(id)
  }

  @Query(() => [Node], {
    nullable: 'items',
    description: 'Records by their ids, 100 at most, in the same order; null where the caller has none such.',
  })
  nodes(
    @Arg('ids', () => [ID], { description: 'The ids of the records.' }) ids: string[],
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<(EntityRef | null)[]> {
    if (ids.length > MAX_IDS)
      throw new PublicError('bad_request', `Ask for ${MAX_IDS} ids at most.`, {
        detail: [{ message: `${ids.length} ids are too many.`, path: 'ids' }],
      })
    return Promise.all(ids.map((id) => connections.node(id)))
  }
}
