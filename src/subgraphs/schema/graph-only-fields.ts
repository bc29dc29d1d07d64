import { type ClassType, Field, ID } from 'type-graphql'
import { Loaded } from './build-subgraph.ts'
import { entityRef, entityStub } from './entity-references.ts'

// Decorators of fields that REST and webhooks leave out.

/** Decorator of the connection of a record. Requests of REST and messages of webhooks are about one connection. */
export const ConnectionField =
  (typeOf: () => ClassType = () => entityStub('Connection')): PropertyDecorator =>
  (target, name) => {
    Field(typeOf, { nullable: true, description: 'The connection whose fleet the record belongs to.' })(
      target,
      name,
    )
    Loaded(({ connectionId }: { readonly connectionId: string }) => entityRef(connectionId))(target, name)
  }

/**
 * Decorator of an id by which the caches of clients find a state again, such as the latest location of a vehicle. `of`
 * says what the id identifies.
 */
export const CacheIdField =
  <Row>(of: string, idOf: (row: Row) => string): PropertyDecorator =>
  (target, name) => {
    Field(() => ID, { description: `An id for the caches of clients: one per ${of}. No argument takes it.` })(
      target,
      name,
    )
    Loaded((row: Row) => idOf(row))(target, name)
  }
