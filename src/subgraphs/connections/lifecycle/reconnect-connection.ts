import { PublicError } from '../../../domain/errors.ts'
import type { Id } from '../../../domain/ids.ts'
import type { FleetAccount } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { accessTopic } from '../../streams/topics.ts'
import { type Actor, recordAudit } from '../../tables/audit-log.ts'
import { connectionEvent } from '../events.ts'
import type { Connection } from '../connection.ts'
import { lockConnection } from '../find-connection.ts'
import { type SignInResult, replaceCredentials } from './replace-credentials.ts'
import { afterLink } from './link-connection.ts'
import { type ConnectionCommandDeps, providerNameOf } from '../command-deps.ts'

/** New sign-in of a fleet to an existing connection. */
export interface Reconnection extends SignInResult {
  readonly applicationId: Id<'application'>
  readonly connectionId: string
  readonly actor: Actor
}

/** The fleet has signed in to another account than that of the connection. */
export class AccountMismatch extends PublicError {
  constructor() {
    super('unprocessable_entity', 'This account is not the account of the connection.')
  }
}

/**
 * Signs in to a connection again. A disconnected or archived connection becomes connected again, and keeps its
 * connection token. Sync continues from the end of its data. Only the same account is accepted. A connection that is
 * pending deletion is refused, because only the requester of the deletion can cancel it. `inTransaction` runs
 * in the same transaction.
 */
export async function reconnectConnection(
  deps: ConnectionCommandDeps,
  { applicationId, connectionId, actor, ...signIn }: Reconnection,
  inTransaction: (tx: Transaction, connection: Connection) => Promise<void> = async () => {},
): Promise<Connection> {
  const { connection, sync } = await deps.db.transaction(async (tx) => {
    const now = deps.clock.now()
    const before = await lockConnection(tx, { applicationId, connectionIds: null }, connectionId)
    requireSameAccount(before, signIn.account)
    const providerName = providerNameOf(deps, before.provider)
    const result = await replaceCredentials(tx, before, signIn, {
      trigger: 'sign_in',
      secrets: deps.secrets,
      now,
      providerName,
      eventsOf: (after, event) => (event === null ? [] : [connectionEvent(event, after, providerName)]),
    })
    const act = { action: 'connection.reconnected', targetId: before.id, detail: { from: before.status } }
    await recordAudit(tx, { applicationId, actor, at: now }, act)
    await inTransaction(tx, result.connection)
    return result
  })
  deps.notifier.notify(accessTopic(applicationId))
  await afterLink(deps, { connection, sync })
  return connection
}

/** Throws if the accounts differ. A connection without a source id accepts any account. */
function requireSameAccount({ sourceId }: Connection, account: FleetAccount): void {
  if (sourceId !== null && sourceId !== account.sourceId) throw new AccountMismatch()
}
