import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql'

/**
 * Maximum number of tokens of a document. The body limit alone would permit many more, and the time of validation grows
 * with the square of the number of fields.
 */
export const MAX_TOKENS = 10_000

/** What callers may learn of the schema. Without introspection, errors suggest no names either. */
export interface SchemaAccess {
  readonly introspection: boolean
}

/** Validation rules beyond those of the GraphQL specification. HTTP, SSE and websockets share them. */
export const validationRules = ({ introspection }: SchemaAccess): ValidationRule[] =>
  introspection ? [] : [NoSchemaIntrospectionCustomRule]
