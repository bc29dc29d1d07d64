import { type ClassType, Field } from 'type-graphql'
import { Loaded } from './build-subgraph.ts'
import { entityRef, entityStub } from './entity-references.ts'

/**
 * Decorator of the field with the connection of a record. REST and webhooks leave the field out: their requests and
 * messages are about one connection.
 */
export const ConnectionField =
  (typeOf: () => ClassType = () => entityStub('Connection')): PropertyDecorator =>
  (target, name) => {
    Field(typeOf, { nullable: true, description: 'The connection whose fleet the record belongs to.' })(
      target,
      name,
    )
    Loaded(({ connectionId }: { readonly connectionId: string }) => entityRef(connectionId))(target, name)
  }
