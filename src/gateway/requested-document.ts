import { GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../auth/caller.ts'
import { DEFAULT_DOCUMENT_MODE } from '../auth/document-mode.ts'
import type { Id } from '../domain/ids.ts'
import { PublicError } from '../domain/errors.ts'
import type { TrustedDocumentStore } from '../subgraphs/connections/trusted-documents/trusted-document-store.ts'

/** Document of a request: its text, its id, or both. */
export interface DocumentParams {
  readonly query?: string | undefined
  /** Id under which the application has published the document. */
  readonly documentId?: string | undefined
  /** Hash of an automatic persisted query. A client library can send the id of a published document in it. */
  readonly sha256Hash?: string | undefined
}

/** Finds the documents that callers request, and refuses those that a caller may not run. */
export interface RequestedDocuments {
  /** Returns the text of the requested document. Throws unless it is known and the caller may run it. */
  textOf(caller: Caller, params: DocumentParams): Promise<string>
}

/** Size of the automatic persisted queries of an application in a process, in characters. */
const MAX_PERSISTED_CHARACTERS = 500_000
const MAX_APPLICATIONS = 100

type PersistedQueries = LRUCache<string, string>

export function createRequestedDocuments(trusted: TrustedDocumentStore | undefined): RequestedDocuments {
  const persisted = new LRUCache<Id<'application'>, PersistedQueries>({ max: MAX_APPLICATIONS })
  const persistedBy = (applicationId: Id<'application'>): PersistedQueries => {
    const queries =
      persisted.get(applicationId) ??
      new LRUCache({ maxSize: MAX_PERSISTED_CHARACTERS, sizeCalculation: (text) => text.length + 1 })
    persisted.set(applicationId, queries)
    return queries
  }
  return {
    async textOf({ applicationId, documentMode = DEFAULT_DOCUMENT_MODE }, { query, documentId, sha256Hash }) {
      const id = documentId ?? sha256Hash
      const isById = id !== undefined && documentMode !== 'off'
      const published = isById ? await trusted?.textOf(applicationId, idIn(id)) : null
      if (published != null) return published
      const text = query ?? (sha256Hash && persistedBy(applicationId).get(sha256Hash))
      if (text === undefined) throw sha256Hash === undefined ? unknownDocument() : persistedQueryNotFound()
      if (documentMode === 'only' && !(await trusted?.includes(applicationId, text)))
        throw untrustedDocument()
      if (query !== undefined && sha256Hash !== undefined) persistedBy(applicationId).set(sha256Hash, query)
      return text
    },
  }
}

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
