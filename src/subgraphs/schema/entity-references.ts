import { Directive, ObjectType } from 'type-graphql'
import { nodeKinds, typeNamesOf } from '../../domain/record-models.ts'
import { Node } from './node-interface.ts'

/** Reference to an entity. The subgraph that owns the entity loads its fields by the id. */
export interface EntityRef {
  readonly id: string
}

export const entityRef = (id: string | null): EntityRef | null => (id === null ? null : { id })

function createStub(typeName: string) {
  @Directive('@key(fields: "id", resolvable: false)')
  @ObjectType(typeName, { implements: Node, simpleResolvers: true })
  class Stub extends Node {}
  return Stub
}

const stubs = new Map(nodeKinds.flatMap(typeNamesOf).map((typeName) => [typeName, createStub(typeName)]))

/** Returns the type that stands for an entity in the subgraphs that do not own it. */
export function entityStub(typeName: string) {
  const stub = stubs.get(typeName)
  if (!stub) throw new Error(`There is no node type ${typeName}`)
  return stub
}

/** Returns the stubs of all node types except those that the subgraph owns. */
export const entityStubs = (...owned: readonly string[]) =>
  [...stubs].filter(([typeName]) => !owned.includes(typeName)).map(([, stub]) => stub)
