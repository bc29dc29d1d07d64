import { GraphQLError, Kind, parse } from 'graphql'
import type { Caller } from '../../../auth/caller.ts'
import { invalidMember, PublicError } from '../../../domain/errors.ts'
import type { Transaction } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { requireQuota } from '../../tables/application-quotas.ts'
import { actorOf, recordAudit } from '../../tables/audit-log.ts'
import { lockApplication } from '../applications/lock-application.ts'
import { requireAdmin } from '../applications/require-admin.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { hashOf, rowIdOf, TrustedDocument } from './trusted-document.ts'

/** Document to publish, with the id by which clients request it. */
export interface NewDocument {
  readonly documentId: string
  readonly text: string
}

export interface PublishedDocuments {
  /** Number of documents that are new. */
  readonly added: number
  /** Number of documents that were published before. */
  readonly unchanged: number
}

const table = tableOf(TrustedDocument)
const DOCUMENT_ID = /^[!-~]{1,128}$/
/** Maximum length of a document: that of the body of a request. */
const MAX_TEXT_LENGTH = 100 * 1024
const BATCH_SIZE = 200

/** Publishes documents of an application, all or none. Those that it has published before stay. */
export async function publishDocuments(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  caller: Caller,
  documents: readonly NewDocument[],
): Promise<PublishedDocuments> {
  requireAdmin(caller)
  const { applicationId } = caller
  const at = clock.now()
  for (const document of documents) validate(document)
  requireUniqueIds(documents)
  const rows: TrustedDocument[] = documents.map(({ documentId, text }) => ({
    id: rowIdOf(applicationId, documentId),
    applicationId,
    documentId,
    textHash: hashOf(text),
    text,
    publishedAt: at,
  }))
  return db.transaction(async (tx) => {
    await lockApplication(tx, applicationId)
    const stored = await storedHashes(tx, rows)
    const added = rows.filter(({ id }) => !stored.has(id))
    const changed = rows.find(({ id, textHash }) => stored.has(id) && stored.get(id) !== textHash)
    if (changed)
      throw new PublicError('conflict', `The document ${changed.documentId} has another text already.`, {
        detail: 'Clients may run it by its id. Publish the new text with a new id.',
      })
    if (added.length === 0) return { added: 0, unchanged: rows.length }
    await requireQuota(tx, applicationId, 'trustedDocuments', undefined, added.length)
    await tx.insert(table, added)
    await recordAudit(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'documents.published', targetId: applicationId, detail: { added: added.length } },
    )
    return { added: added.length, unchanged: rows.length - added.length }
  })
}

function validate({ documentId, text }: NewDocument): void {
  if (!DOCUMENT_ID.test(documentId))
    throw invalidMember('documents', 'An id of a document has 1 to 128 visible ASCII characters.')
  if (text.length > MAX_TEXT_LENGTH)
    throw invalidMember(
      'documents',
      `The document ${documentId} is longer than ${MAX_TEXT_LENGTH} characters.`,
    )
  try {
    const { definitions } = parse(text, { noLocation: true })
    if (definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)) return
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw invalidMember('documents', `The document ${documentId} cannot be parsed: ${error.message}`)
  }
  throw invalidMember('documents', `The document ${documentId} contains no operation.`)
}

function requireUniqueIds(documents: readonly NewDocument[]): void {
  const ids = new Set<string>()
  for (const { documentId } of documents) {
    if (ids.has(documentId)) throw invalidMember('documents', `Two documents have the id ${documentId}.`)
    ids.add(documentId)
  }
}

/** Returns the hashes of the texts that are stored under the ids of these rows. */
async function storedHashes(
  tx: Transaction,
  rows: readonly TrustedDocument[],
): Promise<ReadonlyMap<string, string>> {
  const stored = new Map<string, string>()
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const ids = rows.slice(start, start + BATCH_SIZE).map(({ id }) => id)
    const found = await tx.rows<Pick<TrustedDocument, 'id' | 'textHash'>>(
      `SELECT \`id\`, \`textHash\` FROM \`trusted_documents\` WHERE \`applicationId\` = ? AND \`id\` IN (${placeholders(ids.length)})`,
      [rows[0]?.applicationId, ...ids],
    )
    for (const { id, textHash } of found) stored.set(id, textHash)
  }
  return stored
}
