import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql'

/**
 * Maximum number of lexical tokens of a document. The body limit alone would permit many more. The time of validation
 * grows with the square of the number of fields.
 */
export const MAX_DOCUMENT_TOKENS = 10_000

/** Access of callers to the schema. */
export interface SchemaAccess {
  /** Whether callers may read the schema. If not, `DocumentCache` also removes suggested names from errors. */
  readonly introspection: boolean
}

/** Validation rules beyond those of the GraphQL specification. HTTP, SSE and websockets share them. */
export const validationRules = ({ introspection }: SchemaAccess): ValidationRule[] =>
  introspection ? [] : [NoSchemaIntrospectionCustomRule]
