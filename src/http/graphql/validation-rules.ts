import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql'

/** What both doors, HTTP and websockets, hold a document to beyond the rules of GraphQL. */
export const validationRules = ({ introspection }: { readonly introspection: boolean }): ValidationRule[] =>
  introspection ? [] : [NoSchemaIntrospectionCustomRule]
