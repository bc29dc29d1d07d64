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

/** A document, parsed and compiled, takes some 90 bytes for each character of its text. */
const MAX_KNOWN_CHARACTERS = 500_000

/** Parsed and valid documents by their text, so that a query that comes again is compiled once. */
export function createDocumentCache(schema: GraphQLSchema, rules: readonly ValidationRule[]): DocumentCache {
  const known = new LRUCache<string, DocumentNode>({
    maxSize: MAX_KNOWN_CHARACTERS,
    sizeCalculation: (_document, text) => text.length + 1,
  })
  return (text) => {
    const before = known.get(text)
    if (before) return before
    try {
      const document = parse(text)
      const errors = validate(schema, document, [...specifiedRules, ...rules])
      if (errors.length > 0) return errors
      known.set(text, document)
      return document
    } catch (error) {
      if (error instanceof GraphQLError) return [error]
      throw error
    }
  }
}
