import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql'

/** Validation rules beyond those of the GraphQL specification. HTTP, SSE and websockets share them. */
export const validationRules = ({ introspection }: { readonly introspection: boolean }): ValidationRule[] =>
  introspection ? [] : [NoSchemaIntrospectionCustomRule]
