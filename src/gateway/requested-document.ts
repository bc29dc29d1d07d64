import { GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { DEFAULT_DOCUMENT_MODE } from '../auth/document-mode.ts'
import { PublicError } from '../domain/errors.ts'
import type { Id } from '../domain/ids.ts'
import { hashOf } from '../subgraphs/connections/trusted-documents/trusted-document.ts'
import type { ContextFor } from './context.ts'
import type { Requester } from './requester.ts'

/** Document of a request: its text, its id, or both. */
export interface DocumentParams {
  readonly query?: string | undefined
  /** Id under which the application has published the document. */
  readonly documentId?: string | undefined
  /** Hash of an automatic persisted query. A client library can send the id of a published document in it. */
  readonly sha256Hash?: string | undefined
}

const CACHE_OPTIONS = {
  /** A document that is published or removed is known after this time. */
  ttl: 3_000,
  /** Those that wait for a look-up get its result even if the cache has no room for it, or got it otherwise. */
  ignoreFetchAbort: true,
}
/** Cache sizes in characters of text, and in texts. */
const MAX_CACHED_CHARACTERS = 2_000_000
const MAX_CACHED_TEXTS = 20_000
/** Size of the automatic persisted queries of an application in a process, in characters. */
const MAX_PERSISTED_CHARACTERS = 500_000
const MAX_APPLICATIONS = 100

interface Lookup {
  readonly requester: Requester
  /** Id of a document, or hash of a text. */
  readonly key: string
}

type Cached<Value> = LRUCache<string, { readonly value: Value }, Lookup>
type PersistedQueries = LRUCache<string, string>

/** Finds the documents that callers request, and refuses those that a caller may not run. */
export class RequestedDocuments {
  private readonly texts: Cached<string | null> = new LRUCache({
    ...CACHE_OPTIONS,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ value }) => (value?.length ?? 0) + 1,
    fetchMethod: async (_key, _stale, { context: { requester, key } }) => {
      const found = await this.reads(requester).trustedDocument(key)
      if (found) this.trusted.set(cacheKey(requester, found.textHash), { value: true })
      return { value: found?.text ?? null }
    },
  })
  private readonly trusted: Cached<boolean> = new LRUCache({
    ...CACHE_OPTIONS,
    max: MAX_CACHED_TEXTS,
    fetchMethod: async (_key, _stale, { context: { requester, key } }) => ({
      value: await this.reads(requester).isTrustedText(key),
    }),
  })
  private readonly persisted = new LRUCache<Id<'application'>, PersistedQueries>({ max: MAX_APPLICATIONS })

  constructor(private readonly contextFor: ContextFor) {}

  /** Returns the text of the requested document. Throws unless it is known and the caller may run it. */
  async textOf(requester: Requester, { query, documentId, sha256Hash }: DocumentParams): Promise<string> {
    const { applicationId, documentMode = DEFAULT_DOCUMENT_MODE } = requester.caller
    const id = documentId ?? sha256Hash
    const published =
      id === undefined || documentMode === 'off' ? null : await cached(this.texts, requester, idIn(id))
    if (published != null) return published
    const text = query ?? (sha256Hash && this.persisted.get(applicationId)?.get(sha256Hash))
    if (text === undefined) throw sha256Hash === undefined ? unknownDocument() : persistedQueryNotFound()
    if (documentMode === 'only' && !(await cached(this.trusted, requester, hashOf(text))))
      throw untrustedDocument()
    if (query !== undefined && sha256Hash !== undefined) this.persist(applicationId, sha256Hash, query)
    return text
  }

  private reads({ caller, credentials, logContext }: Requester) {
    // Requests of several clients can wait for one look-up, so it does not end with the first of them.
    return this.contextFor({ caller, credentials, logContext }).trustedDocuments
  }

  private persist(applicationId: Id<'application'>, sha256Hash: string, query: string): void {
    let queries = this.persisted.get(applicationId)
    if (!queries) {
      queries = new LRUCache({
        maxSize: MAX_PERSISTED_CHARACTERS,
        sizeCalculation: (text) => text.length + 1,
      })
      this.persisted.set(applicationId, queries)
    }
    queries.set(sha256Hash, query)
  }
}

async function cached<Value>(
  cache: Cached<Value>,
  requester: Requester,
  key: string,
): Promise<Value | undefined> {
  const found = await cache.fetch(cacheKey(requester, key), { context: { requester, key } })
  return found?.value
}

const cacheKey = ({ caller }: Requester, key: string): string => `${caller.applicationId} ${key}`

/** Returns an id without the prefix of GraphQL over HTTP for hashes. Lists of documents do not have it. */
const idIn = (documentId: string): string => documentId.replace(/^sha256:/, '')

/** Error after which clients send an automatic persisted query with its text. */
const persistedQueryNotFound = () =>
  new GraphQLError('PersistedQueryNotFound', { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } })

const unknownDocument = () =>
  new PublicError('document_not_found', 'There is no document with this `documentId`.', {
    detail: 'Publish it with `odograph operations publish`, or send its text as `query`.',
  })

const untrustedDocument = () =>
  new PublicError('document_not_trusted', 'The credentials permit published documents only.', {
    detail: 'Publish the document with `odograph operations publish`, or use a key without this restriction.',
  })
