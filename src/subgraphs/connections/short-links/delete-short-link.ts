import { type Caller, refuseUnlessKeyAlone } from '../../../auth/caller.ts'
import { actorOf, remember } from '../../audit.ts'
import { and, equal, mine } from '../../../storage/where.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'
import { noSuchShortLink } from './short-links.ts'

/** Ends a short link: nobody begins with its code any more, and who asks for the same settings gets another. */
export async function deleteShortLink(
  { db, clock }: Pick<ConnectionWritesFrom, 'db' | 'clock'>,
  caller: Caller,
  { shortLinkId }: { readonly shortLinkId: string },
): Promise<{ readonly shortLinkId: string }> {
  refuseUnlessKeyAlone(caller, 'Short links')
  const { applicationId } = caller
  const where = and(mine(caller), equal('id', shortLinkId))
  const now = clock.now()
  await db.transaction(async (tx) => {
    const deleted = await tx.run(
      `UPDATE \`short_links\` SET \`deletedAt\` = ? WHERE ${where.sql} AND \`deletedAt\` IS NULL`,
      [now, ...where.parameters],
    )
    if (deleted === 0) throw noSuchShortLink()
    const act = { action: 'short_link.deleted', targetId: shortLinkId }
    await remember(tx, { applicationId, actor: actorOf(caller), at: now }, act)
  })
  return { shortLinkId }
}
