import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { MAX_TOKENS } from './validation-rules.ts'

export type DocumentCache = (text: string) => DocumentNode | readonly GraphQLError[]

/**
 * Cache size in characters of document text. A parsed and compiled document takes about 90 bytes per
 * character.
 */
const MAX_CACHED_CHARACTERS = 500_000

/**
 * Creates a cache that parses and validates each document once. The cache returns the document, or its
 * errors.
 */
export function createDocumentCache(schema: GraphQLSchema, rules: readonly ValidationRule[]): DocumentCache {
  const cache = new LRUCache<string, DocumentNode>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_document, text) => text.length + 1,
  })
  return (text) => {
    const cached = cache.get(text)
    if (cached) return cached
    try {
      const document = parse(text, { maxTokens: MAX_TOKENS })
      const errors = validate(schema, document, [...specifiedRules, ...rules])
      if (errors.length > 0) return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'))
      cache.set(text, document)
      return document
    } catch (error) {
      if (error instanceof GraphQLError) return [withCode(error, 'GRAPHQL_PARSE_FAILED')]
      // The parser and the validation rules are recursive.
      if (error instanceof RangeError)
        return [withCode(new GraphQLError('The document is nested too deeply.'), 'GRAPHQL_PARSE_FAILED')]
      throw error
    }
  }
}

/** Adds the code with which Apollo Server reports the same error. */
function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] ??= code
  return error
}
