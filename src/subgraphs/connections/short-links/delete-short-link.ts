import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { actorOf, recordAudit } from '../../tables/audit-log.ts'
import { and, equal, tenantWhere } from '../../../storage/sql/where.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { shortLinkNotFoundError } from './find-short-link.ts'

/** Deletes a short link. Its code becomes invalid. A new link with the same settings gets a new code. */
export async function deleteShortLink(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  caller: Caller,
  { shortLinkId }: { readonly shortLinkId: string },
): Promise<{ readonly shortLinkId: string }> {
  requireSecretKey(caller, 'Short links')
  const { applicationId } = caller
  const where = and(tenantWhere(caller), equal('id', shortLinkId))
  const now = clock.now()
  await db.transaction(async (tx) => {
    const deleted = await tx.run(
      `UPDATE \`short_links\` SET \`deletedAt\` = ? WHERE ${where.sql} AND \`deletedAt\` IS NULL`,
      [now, ...where.parameters],
    )
    if (deleted === 0) throw shortLinkNotFoundError()
    const change = { action: 'short_link.deleted', targetId: shortLinkId }
    await recordAudit(tx, { applicationId, actor: actorOf(caller), at: now }, change)
  })
  return { shortLinkId }
}
