import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { PublicError } from '../../errors.ts'
import { Node } from '../node.ts'
import type { Mention } from '../stubs.ts'
import type { ConnectionsContext } from './reads.ts'

const MOST_IDS = 100

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'Any record by its id; null where the caller has none such.',
  })
  node(
    @Arg('id', () => ID, { description: "The record's id, of any kind." }) id: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Mention | null> {
    return connections.node(id)
  }

  @Query(() => [Node], {
    nullable: 'items',
    description: 'Records by their ids, 100 at most, in the same order; null where the caller has none such.',
  })
  nodes(
    @Arg('ids', () => [ID], { description: 'The ids of the records.' }) ids: string[],
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<(Mention | null)[]> {
    if (ids.length > MOST_IDS)
      throw new PublicError('bad_request', `Ask for ${MOST_IDS} ids at most.`, {
        detail: [{ message: `${ids.length} ids are too many.`, path: 'ids' }],
      })
    return Promise.all(ids.map((id) => connections.node(id)))
  }
}
