import { PublicError } from '../../../domain/errors.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Account } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { accessTopic } from '../../streams/topics.ts'
import { type Actor, recordAudit } from '../../tables/audit-log.ts'
import { connectionEvent } from '../events.ts'
import type { Connection } from '../connection.ts'
import { lockConnection } from '../find-connection.ts'
import { type SignInResult, replaceCredentials } from './replace-credentials.ts'
import { afterLink } from './link-connection.ts'
import { type ConnectionCommandDeps, providerNameOf } from '../command-deps.ts'

/** A fleet that has signed in to one of an application's connections again. */
export interface Reconnection extends SignInResult {
  readonly applicationId: Id<'application'>
  readonly connectionId: string
  readonly actor: Actor
}

/** That somebody has signed in to another account than the connection is of. */
export class AccountMismatch extends PublicError {
  constructor() {
    super('unprocessable_entity', 'This is another account than the one that the connection is of.')
  }
}

/**
 * Signs in to a connection again: disconnected and archived ones are connected again, with their token, and go on
 * where their data end. Only the same account is taken. One whose deletion was asked for is refused: whoever asked
 * calls that off (gaps 2.1). `also` is done in the same transaction.
 */
export async function reconnectConnection(
  deps: ConnectionCommandDeps,
  { applicationId, connectionId, actor, ...signedIn }: Reconnection,
  also: (tx: Transaction, connection: Connection) => Promise<void> = async () => {},
): Promise<Connection> {
  const { connection, sync } = await deps.db.transaction(async (tx) => {
    const now = deps.clock.now()
    const before = await lockConnection(tx, { applicationId, connectionIds: null }, connectionId)
    requireSameAccount(before, signedIn.account)
    const providerName = providerNameOf(deps, before.provider)
    const made = await replaceCredentials(tx, before, signedIn, {
      trigger: 'sign_in',
      secrets: deps.secrets,
      now,
      providerName,
      eventsOf: (after, event) => (event === null ? [] : [connectionEvent(event, after, providerName)]),
    })
    const act = { action: 'connection.reconnected', targetId: before.id, detail: { from: before.status } }
    await recordAudit(tx, { applicationId, actor, at: now }, act)
    await also(tx, made.connection)
    return made
  })
  deps.notifier.notify(accessTopic(applicationId))
  await afterLink(deps, { connection, sync })
  return connection
}

/** One that was made before accounts told their id takes whichever signs in. */
function requireSameAccount({ sourceId }: Connection, account: Account): void {
  if (sourceId !== null && sourceId !== account.sourceId) throw new AccountMismatch()
}
