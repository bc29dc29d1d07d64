import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import { isPublic } from '../../domain/errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Requester } from '../../gateway/requester.ts'
import { documentParamsOf } from './requested-document.ts'
import { MAX_DOCUMENT_TOKENS, type SchemaAccess, validationRules } from './validation-rules.ts'

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
   * Returns the document that a request wants. Parses a new one in the turn of its application. Returns the refusal as
   * an error if the caller may not run it, or if the application has too many requests that wait.
   */
  async getInTurn(
    gateway: DocumentSource,
    requester: Requester,
    params: Readonly<Record<string, unknown>>,
  ): Promise<ParsedDocument> {
    try {
      const text = await gateway.documents.textOf(requester, documentParamsOf(params))
      return this.known(text) ?? (await this.parseInTurn(gateway, requester, text))
    } catch (error) {
      if (error instanceof GraphQLError) return [error]
      if (!isPublic(error)) throw error
      return [new GraphQLError(error.message, { originalError: error })]
    }
  }

  /** Parses a document in the turn of its application. One that many subscribers send at once is parsed once. */
  private parseInTurn({ contextFor }: DocumentSource, requester: Requester, text: string) {
    const key = `${requester.caller.applicationId} ${text}`
    const waiting = this.waiting.get(key)
    if (waiting) return waiting
    const { share, lifetime } = contextFor(requester)
    const parsed = share.document(text.length, lifetime).then(() => this.get(text))
    this.waiting.set(key, parsed)
    return parsed.finally(() => this.waiting.delete(key))
  }

  private parse(text: string): ParsedDocument {
    try {
      const document = parse(text, { maxTokens: MAX_DOCUMENT_TOKENS })
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

type DocumentSource = Pick<Gateway, 'contextFor' | 'documents'>

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
