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
      const document = parse(text)
      const errors = validate(schema, document, [...specifiedRules, ...rules])
      if (errors.length > 0) return errors
      cache.set(text, document)
      return document
    } catch (error) {
      if (error instanceof GraphQLError) return [error]
      throw error
    }
  }
}
