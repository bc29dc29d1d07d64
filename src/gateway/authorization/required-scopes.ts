import { type GraphQLNamedType, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'
import type { KeyScope } from '../../auth/key-scopes.ts'
import type { OperationWithVariables } from '../operation.ts'
import { type SelectedField, walkSelectedFields } from '../selected-fields.ts'
import { includedTypeOf, scopeOfType, scopesOfRoot } from './field-scopes.ts'

/** What an operation asks for that somebody may lack. */
export interface RequiredScopes {
  readonly roots: readonly string[]
  readonly scopes: readonly KeyScope[]
}

/** How any subgraph answers a gateway; what it is asked for beyond that counts. */
const FEDERATION = new Set(['_entities', '_service'])

/** Looks an operation through. */
export function requiredScopes(request: OperationWithVariables, schema: GraphQLSchema): RequiredScopes {
  const roots = new Set<string>()
  const scopes = new Set<KeyScope>()
  walkSelectedFields(request, schema, (field) => {
    if (field.within === null) {
      if (!FEDERATION.has(field.name)) roots.add(field.name)
    } else addTo(scopes, scopesOfField(field, schema))
    if (!isNode(field.leadsTo)) addTo(scopes, scopesIn(field.leadsTo, schema))
  })
  const ofRoots = [...roots].flatMap((field) => scopesOfRoot(field)?.key ?? [])
  const all = [...new Set([...ofRoots, ...scopes])]
  return { roots: [...roots], scopes: all.filter((scope) => !all.some((other) => isWriteOf(scope, other))) }
}

const isWriteOf = (scope: KeyScope, other: KeyScope): boolean =>
  scope.endsWith(':read') && other === scope.replace(/read$/, 'write')

function addTo(scopes: Set<KeyScope>, added: readonly KeyScope[]): void {
  for (const scope of added) scopes.add(scope)
}

/** An entity's id is free: others mention it by that. */
function scopesOfField({ parent, name, within }: SelectedField, schema: GraphQLSchema): readonly KeyScope[] {
  if (name === 'id' && isNode(parent)) return []
  return within && includedTypeOf(within.parent.name, within.name) === parent.name
    ? []
    : scopesIn(parent, schema)
}

/** That of the type, or of an interface by which lists know it; of an interface that has none, those of its types. */
function scopesIn(type: GraphQLNamedType, schema: GraphQLSchema): readonly KeyScope[] {
  const interfaces = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : []
  const known = [type, ...interfaces].map(({ name }) => scopeOfType(name)).find((scope) => scope !== null)
  if (known) return [known]
  return isInterfaceType(type) && type.name !== 'Node'
    ? schema.getPossibleTypes(type).flatMap((possible) => scopesIn(possible, schema))
    : []
}

const isNode = (type: GraphQLNamedType): boolean =>
  (isObjectType(type) || isInterfaceType(type)) &&
  (type.name === 'Node' || type.getInterfaces().some(({ name }) => name === 'Node'))
