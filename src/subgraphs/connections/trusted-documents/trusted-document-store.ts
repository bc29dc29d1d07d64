import { LRUCache } from 'lru-cache'
import type { Id } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { hashOf, rowIdOf, type TrustedDocument } from './trusted-document.ts'

type ApplicationId = Id<'application'>

/** Documents that applications have published. */
export interface TrustedDocumentStore {
  /** Returns the text of a document; null if the application has published none with this id. */
  textOf(applicationId: ApplicationId, documentId: string): Promise<string | null>
  /** Whether the application has published a document with exactly this text. */
  includes(applicationId: ApplicationId, text: string): Promise<boolean>
}

/** Lifetime of a cached document. A document that is published or removed meanwhile is known after this time. */
const CACHE_MS = 3000
/** Cache sizes in characters of text, and in texts. */
const MAX_CACHED_CHARACTERS = 2_000_000
const MAX_CACHED_TEXTS = 20_000

type Cached<Value> = LRUCache<string, { readonly value: Value }, readonly [ApplicationId, string]>

/** Creates the store. It keeps the documents in use in memory. */
export function createTrustedDocumentStore(db: Rows): TrustedDocumentStore {
  const included: Cached<boolean> = new LRUCache({
    max: MAX_CACHED_TEXTS,
    ttl: CACHE_MS,
    fetchMethod: async (_key, _stale, { context: [applicationId, textHash] }) => {
      const rows = await db.rows(
        'SELECT 1 FROM `trusted_documents` WHERE `applicationId` = ? AND `textHash` = ? LIMIT 1',
        [applicationId, textHash],
      )
      return { value: rows.length > 0 }
    },
  })
  const texts: Cached<string | null> = new LRUCache({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ value }) => (value?.length ?? 0) + 1,
    ttl: CACHE_MS,
    fetchMethod: async (id, _stale, { context: [applicationId] }) => {
      const [row] = await db.rows<Pick<TrustedDocument, 'text' | 'textHash'>>(
        'SELECT `text`, `textHash` FROM `trusted_documents` WHERE `id` = ? AND `applicationId` = ?',
        [id, applicationId],
      )
      if (row) included.set(`${applicationId} ${row.textHash}`, { value: true })
      return { value: row?.text ?? null }
    },
  })
  return {
    async textOf(applicationId, documentId) {
      const context = [applicationId, documentId] as const
      const found = await texts.fetch(rowIdOf(applicationId, documentId), { context })
      return found?.value ?? null
    },
    async includes(applicationId, text) {
      const textHash = hashOf(text)
      const context = [applicationId, textHash] as const
      const found = await included.fetch(`${applicationId} ${textHash}`, { context })
      return found?.value ?? false
    },
  }
}
