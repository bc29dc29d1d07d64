import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import { MAX_TOKENS, type SchemaAccess, validationRules } from './validation-rules.ts'

/** Returns the parsed and validated document of a text, or its errors. */
export type DocumentCache = (text: string) => DocumentNode | readonly GraphQLError[]

/**
 * Cache size in characters of document text. A parsed and compiled document takes about 90 bytes per
 * character.
 */
const MAX_CACHED_CHARACTERS = 500_000

/** Creates a cache of valid documents, so that each is parsed and validated once. */
export function createDocumentCache(schema: GraphQLSchema, access: SchemaAccess): DocumentCache {
  const rules = [...specifiedRules, ...validationRules(access)]
  const cache = new LRUCache<string, DocumentNode>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_document, text) => text.length + 1,
  })
  return (text) => {
    const cached = cache.get(text)
    if (cached) return cached
    try {
      const document = parse(text, { maxTokens: MAX_TOKENS })
      const errors = validate(schema, document, rules)
      if (errors.length > 0)
        return errors.map((error) =>
          withCode(access.introspection ? error : withoutSuggestion(error), 'GRAPHQL_VALIDATION_FAILED'),
        )
      cache.set(text, document)
      return document
    } catch (error) {
      if (error instanceof GraphQLError) return [withCode(error, 'GRAPHQL_PARSE_FAILED')]
      // The parser and the validation rules are recursive, and a deeply nested document exhausts the stack.
      if (error instanceof RangeError)
        return [withCode(new GraphQLError('The document is nested too deeply.'), 'GRAPHQL_PARSE_FAILED')]
      throw error
    }
  }
}

/** Removes the suggestion, which names fields, types or values of the schema, as Apollo Server does. */
function withoutSuggestion(error: GraphQLError): GraphQLError {
  error.message = error.message.replace(/ ?Did you mean(.+?)\?$/, '')
  return error
}

/** Adds the code with which Apollo Server reports this error, so that all transports report the same code. */
function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] ??= code
  return error
}
