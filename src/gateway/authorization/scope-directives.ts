import type { GraphQLNamedType, GraphQLSchema } from 'graphql'
import { type RootScopes, scopesOfRoot } from './field-scopes.ts'
import { scopesIn } from './required-scopes.ts'

export const SCOPE_DIRECTIVE = `"""
The scopes that a caller needs. On a type, they apply to all its fields except \`id\`, wherever the type occurs.
"""
directive @requiresScope(
  """The scope of a key, and of the key that created a session. Without it, every key may use the field."""
  key: String

  """
  The scope of a session; \`any\` permits every session. Without it, no session may use a root field.
  """
  session: String
) on FIELD_DEFINITION | OBJECT | INTERFACE
`

/** Returns the directive with the scopes of a root field, after a space. Empty for a field that requires none. */
export const scopeDirectiveOfRoot = (field: string): string => directiveOf(scopesOfRoot(field))

/** Returns the directive with the scope of a type, after a space. Empty for a type that requires none. */
export const scopeDirectiveOfType = (type: GraphQLNamedType, schema: GraphQLSchema): string =>
  directiveOf({ key: scopesIn(type, schema)[0] ?? null, session: null })

function directiveOf(scopes: RootScopes | null): string {
  const given = Object.entries({ key: scopes?.key, session: scopes?.session }).filter(([, scope]) => scope)
  if (given.length === 0) return ''
  return ` @requiresScope(${given.map(([name, scope]) => `${name}: "${scope}"`).join(', ')})`
}
