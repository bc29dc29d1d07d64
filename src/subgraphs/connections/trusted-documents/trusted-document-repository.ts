import type { Id } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { rowIdOf, type TrustedDocument } from './trusted-document.ts'

export type TrustedDocumentRepository = ReturnType<typeof trustedDocumentRepository>

/** Reads the documents that an application has published. */
export const trustedDocumentRepository = (
  { db }: { readonly db: Rows },
  { applicationId }: { readonly applicationId: Id<'application'> },
) => ({
  /** Returns the document with an id of the application; null if there is none. */
  async trustedDocument(documentId: string): Promise<Pick<TrustedDocument, 'text' | 'textHash'> | null> {
    const [row] = await db.rows<Pick<TrustedDocument, 'text' | 'textHash'>>(
      'SELECT `text`, `textHash` FROM `trusted_documents` WHERE `id` = ? AND `applicationId` = ?',
      [rowIdOf(applicationId, documentId), applicationId],
    )
    return row ?? null
  },
  /** Whether the application has published a document whose text has this hash. */
  async isTrustedText(textHash: string): Promise<boolean> {
    const rows = await db.rows(
      'SELECT 1 FROM `trusted_documents` WHERE `applicationId` = ? AND `textHash` = ? LIMIT 1',
      [applicationId, textHash],
    )
    return rows.length > 0
  },
})
