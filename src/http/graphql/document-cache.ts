import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import { isPublic } from '../../domain/errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Requester } from '../../gateway/requester.ts'
import { MAX_TOKENS, type SchemaAccess, validationRules } from './validation-rules.ts'

type ParsedDocument = DocumentNode | readonly GraphQLError[]

/**
 * Cache size in characters of document text. A parsed and compiled document takes about 90 bytes per
 * character.
 */
const MAX_CACHED_CHARACTERS = 500_000

/**
 * Cache of valid documents, so that each is parsed and validated once. A document that a subscription uses is found even
 * after it has left the cache, so that a text has one document at a time.
 */
export class DocumentCache {
  private readonly rules
  private readonly cache = new LRUCache<string, DocumentNode>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_document, text) => text.length + 1,
  })
  private readonly used = new Map<string, WeakRef<DocumentNode>>()
  private readonly unused = new FinalizationRegistry<string>((text) => {
    if (!this.used.get(text)?.deref()) this.used.delete(text)
  })
  /** Documents that wait for their turn, by application and text. */
  private readonly waiting = new Map<string, Promise<ParsedDocument>>()

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly access: SchemaAccess,
  ) {
    this.rules = [...specifiedRules, ...validationRules(access)]
  }

  /** Returns the parsed and validated document of a text, or its errors. */
  get(text: string): ParsedDocument {
    return this.known(text) ?? this.parse(text)
  }

  private known(text: string): DocumentNode | undefined {
    return this.cache.get(text) ?? this.used.get(text)?.deref()
  }

  /**
   * The same, but parses a new document in the turn of its application. Many subscribers can send the same one at once:
   * it is then parsed once. Returns the refusal as an error if the application has too many requests that wait.
   */
  async getInTurn(
    { contextFor }: ContextFactory,
    requester: Requester,
    text: string,
  ): Promise<ParsedDocument> {
    const known = this.known(text)
    if (known) return known
    const key = `${requester.caller.applicationId} ${text}`
    const waiting = this.waiting.get(key)
    if (waiting) return waiting
    const { share, lifetime } = contextFor(requester)
    const parsed = this.parseInTurn(share.document(text.length, lifetime), text)
    this.waiting.set(key, parsed)
    return parsed.finally(() => this.waiting.delete(key))
  }

  private async parseInTurn(turn: Promise<void>, text: string): Promise<ParsedDocument> {
    try {
      await turn
      return this.get(text)
    } catch (error) {
      if (!isPublic(error)) throw error
      return [new GraphQLError(error.message, { originalError: error })]
    }
  }

  private parse(text: string): ParsedDocument {
    try {
      const document = parse(text, { maxTokens: MAX_TOKENS })
      const errors = validate(this.schema, document, this.rules)
      if (errors.length > 0)
        return errors.map((error) =>
          withCode(this.access.introspection ? error : withoutSuggestion(error), 'GRAPHQL_VALIDATION_FAILED'),
        )
      this.cache.set(text, document)
      this.used.set(text, new WeakRef(document))
      this.unused.register(document, text)
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

type ContextFactory = Pick<Gateway, 'contextFor'>

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
