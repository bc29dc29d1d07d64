import type { Caller } from '../../../auth/caller.ts'
import { hashOf, PUBLIC_TOKEN } from '../../../auth/keys.ts'
import { PublicError } from '../../../errors.ts'
import { and, equal, mine } from '../../../storage/where.ts'
import { by, remember } from '../../audit.ts'
import { refused } from '../check-input.ts'
import type { Connection } from '../connection.ts'
import { heldConnection, isGone } from '../meant-connection.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'

/**
 * Spends a public token for its connection. Of many exchanges at once one succeeds; a token that is spent, expired,
 * unknown or another application's is not found, and these are not told apart.
 */
export async function exchangePublicToken(
  { db, clock }: ConnectionWritesFrom,
  caller: Caller,
  { publicToken }: { readonly publicToken: string },
): Promise<Connection> {
  if (!PUBLIC_TOKEN.test(publicToken))
    throw refused('publicToken', 'A public token is like pub_tkn_0123456789abcdef.')
  const where = and(mine(caller), equal('hash', hashOf(publicToken)))
  return db.transaction(async (tx) => {
    const now = clock.now()
    const [token] = await tx.rows<{ connectionId: string }>(
      `SELECT \`connectionId\` FROM \`public_tokens\` WHERE ${where.sql}`,
      where.parameters,
    )
    const spent = await tx.run(
      `UPDATE \`public_tokens\` SET \`spentAt\` = ? WHERE ${where.sql} AND \`spentAt\` IS NULL AND \`expiresAt\` > ?`,
      [now, ...where.parameters, now],
    )
    if (!token || spent === 0) throw notFound()
    const connection = await heldConnection(tx, caller, token.connectionId)
    if (isGone(connection)) throw notFound()
    await remember(tx, by(caller, now), { action: 'public_token.exchanged', targetId: connection.id })
    return connection
  })
}

const notFound = () =>
  new PublicError('not_found', 'There is no such public token.', {
    detail: 'A public token can be exchanged once, within 30 minutes.',
  })
