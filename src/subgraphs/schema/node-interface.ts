import { Field, ID, InterfaceType } from 'type-graphql'
import { nodeTypeOf } from '../../domain/record-models.ts'

@InterfaceType({
  description: 'A record with a globally unique id. The queries `node` and `nodes` return it by this id.',
  autoRegisterImplementations: false,
  resolveType: nodeTypeOf,
})
export abstract class Node {
  @Field(() => ID, {
    description: 'A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types.',
  })
  readonly id: string
}
