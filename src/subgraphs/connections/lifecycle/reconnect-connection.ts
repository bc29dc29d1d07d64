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
import { enqueueJobsAfterLink } from './link-connection.ts'
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
 * Stores the new sign-in of a fleet to its connection. A disconnected or archived connection becomes connected, and
 * keeps its connection token. Its syncs continue from the end of its data. Only the same account is accepted. The
 * transition table refuses a connection that is pending deletion, because only the integrator can cancel a deletion.
 * `inTransaction` runs in the same transaction.
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
    const change = { action: 'connection.reconnected', targetId: before.id, detail: { from: before.status } }
    await recordAudit(tx, { applicationId, actor, at: now }, change)
    await inTransaction(tx, result.connection)
    return result
  })
  // If the connection was archived, sessions can read it again: gateways drop their cached callers.
  deps.notifier.notify(accessTopic(applicationId))
  await enqueueJobsAfterLink(deps, { connection, sync })
  return connection
}

/** Throws if the accounts differ. A connection without a source id accepts any account. */
function requireSameAccount({ sourceId }: Connection, account: FleetAccount): void {
  if (sourceId !== null && sourceId !== account.sourceId) throw new AccountMismatch()
}
