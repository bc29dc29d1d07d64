import { type GraphQLNamedType, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'
import type { KeyScope } from '../../auth/key-scopes.ts'
import type { OperationWithVariables } from '../operation.ts'
import { type SelectedField, walkSelectedFields } from '../execution/selected-fields.ts'
import { includedTypeOf, scopeOfType, scopesOfRoot } from './field-scopes.ts'

/** Root fields of an operation, and the key scopes that it requires. */
export interface RequiredScopes {
  readonly roots: readonly string[]
  readonly scopes: readonly KeyScope[]
}

/** Root fields of federation. They require no scope; the fields below them do. */
const FEDERATION_ROOTS = new Set(['_entities', '_service'])

/** Returns the root fields and required scopes of an operation with its variables. */
export function requiredScopes(request: OperationWithVariables, schema: GraphQLSchema): RequiredScopes {
  const roots = new Set<string>()
  const scopes = new Set<KeyScope>()
  walkSelectedFields(request, schema, (field) => {
    if (field.enclosing === null) {
      if (!FEDERATION_ROOTS.has(field.name)) roots.add(field.name)
    } else addTo(scopes, scopesOfField(field, schema))
    // An entity may be selected for its `id` only, which requires no scope. Its other fields add theirs.
    if (!isNode(field.type)) addTo(scopes, scopesIn(field.type, schema))
  })
  const rootScopes = [...roots].flatMap((field) => scopesOfRoot(field)?.key ?? [])
  const all = [...new Set([...rootScopes, ...scopes])]
  return { roots: [...roots], scopes: all.filter((scope) => !all.some((other) => isReadOf(scope, other))) }
}

/** Whether `scope` is the read scope that `writeScope` includes. It is redundant then. */
const isReadOf = (scope: KeyScope, writeScope: KeyScope): boolean =>
  scope.endsWith(':read') && writeScope === scope.replace(/read$/, 'write')

function addTo(scopes: Set<KeyScope>, added: readonly KeyScope[]): void {
  for (const scope of added) scopes.add(scope)
}

/** Returns the scopes of a field. The `id` of an entity requires none, because other records reference it. */
function scopesOfField(
  { parent, name, enclosing }: SelectedField,
  schema: GraphQLSchema,
): readonly KeyScope[] {
  if (name === 'id' && isNode(parent)) return []
  return enclosing && includedTypeOf(enclosing.parent.name, enclosing.name) === parent.name
    ? []
    : scopesIn(parent, schema)
}

/**
 * Returns the scope of the type or of an interface that it implements. An interface without a scope requires
 * the scopes of its possible types.
 */
export function scopesIn(type: GraphQLNamedType, schema: GraphQLSchema): readonly KeyScope[] {
  const interfaces = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : []
  const scope = [type, ...interfaces].map(({ name }) => scopeOfType(name)).find((found) => found !== null)
  if (scope) return [scope]
  return isInterfaceType(type) && type.name !== 'Node'
    ? schema.getPossibleTypes(type).flatMap((possible) => scopesIn(possible, schema))
    : []
}

const isNode = (type: GraphQLNamedType): boolean =>
  (isObjectType(type) || isInterfaceType(type)) &&
  (type.name === 'Node' || type.getInterfaces().some(({ name }) => name === 'Node'))
