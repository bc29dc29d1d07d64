import { SIGN_IN_CODE, hashKey } from '../../../auth/keys.ts'
import { PublicError } from '../../../domain/errors.ts'
import { toIso } from '../../../domain/time.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { recordAudit } from '../../tables/audit-log.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { MAX_LIFETIME_SECONDS, type NewSession, withToken } from './create-session.ts'
import { Session } from './session.ts'

const table = tableOf(Session)

/**
 * Opens the session of a sign-in link with its code, which is spent by that. The session lasts a day from then. It reads without a tenant scope, because the code determines the tenant.
 */
export async function openSignInLink(
  deps: Pick<ConnectionCommandDeps, 'db' | 'secrets' | 'clock'>,
  code: string,
): Promise<NewSession> {
  if (!SIGN_IN_CODE.test(code)) throw linkNotValid()
  const now = deps.clock.now()
  const session = await deps.db.transaction(async (tx) => {
    const [row] = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`sessions\`
        WHERE \`signInCodeHash\` = ? AND \`revokedAt\` IS NULL AND \`expiresAt\` > ?${forUpdate(tx.dialect)}`,
      [hashKey(code), now],
    )
    if (!row) throw linkNotValid()
    const { id, applicationId, name, ...others } = table.toRow(row)
    const expiresAt = now + MAX_LIFETIME_SECONDS * 1000
    await tx.run('UPDATE `sessions` SET `signInCodeHash` = NULL, `expiresAt` = ? WHERE `id` = ?', [
      expiresAt,
      id,
    ])
    await recordAudit(
      tx,
      { applicationId, actor: { kind: 'session', id, name }, at: now },
      { action: 'session.signed_in', targetId: id, detail: { expiresAt: toIso(expiresAt) } },
    )
    return { ...others, id, applicationId, name, expiresAt, signInCodeHash: null }
  })
  return withToken(deps, session)
}

const linkNotValid = () =>
  new PublicError('unauthorized', 'This sign-in link was used before, or it has expired.', {
    detail: 'Ask for a new link, or sign in with a secret key.',
  })
