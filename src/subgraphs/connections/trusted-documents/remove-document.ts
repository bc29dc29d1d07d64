import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import { actorOf, recordAudit } from '../../tables/audit-log.ts'
import { requireAdmin } from '../applications/require-admin.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { rowIdOf } from './trusted-document.ts'

/** Removes a published document. Clients that request it by its id are refused then. */
export async function removeDocument(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  caller: Caller,
  documentId: string,
): Promise<void> {
  requireAdmin(caller)
  const { applicationId } = caller
  await db.transaction(async (tx) => {
    const removed = await tx.run('DELETE FROM `trusted_documents` WHERE `id` = ? AND `applicationId` = ?', [
      rowIdOf(applicationId, documentId),
      applicationId,
    ])
    if (removed === 0)
      throw new PublicError('not_found', 'There is no such document.', {
        detail: 'The application has published no document with this id.',
      })
    await recordAudit(
      tx,
      { applicationId, actor: actorOf(caller), at: clock.now() },
      { action: 'documents.removed', targetId: applicationId, detail: { documentId } },
    )
  })
}
