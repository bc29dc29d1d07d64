import { PublicError } from '../../../errors.ts'
import type { Id } from '../../../ids.ts'
import type { Account } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { accessTopic } from '../../access.ts'
import { type Actor, remember } from '../../audit.ts'
import { connectionEvent } from '../announcements.ts'
import type { Connection } from '../connection.ts'
import { heldConnection } from '../meant-connection.ts'
import { type SignedIn, signInAgain } from './sign-in-again.ts'
import { followLink } from './link-connection.ts'
import { type ConnectionWritesFrom, providerNameOf } from '../writes-from.ts'

/** A fleet that has signed in to one of an application's connections again. */
export interface Reconnection extends SignedIn {
  readonly applicationId: Id<'application'>
  readonly connectionId: string
  readonly actor: Actor
}

/** That somebody has signed in to another account than the connection is of. */
export class OtherAccount extends PublicError {
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
  from: ConnectionWritesFrom,
  { applicationId, connectionId, actor, ...signedIn }: Reconnection,
  also: (tx: Transaction, connection: Connection) => Promise<void> = async () => {},
): Promise<Connection> {
  const { connection, sync } = await from.db.transaction(async (tx) => {
    const now = from.clock.now()
    const before = await heldConnection(tx, { applicationId, connectionIds: null }, connectionId)
    refuseOther(before, signedIn.account)
    const providerName = providerNameOf(from, before.provider)
    const made = await signInAgain(tx, before, signedIn, {
      trigger: 'sign_in',
      secrets: from.secrets,
      now,
      providerName,
      told: (after, event) => (event === null ? [] : [connectionEvent(event, after, providerName)]),
    })
    const act = { action: 'connection.reconnected', targetId: before.id, detail: { from: before.status } }
    await remember(tx, { applicationId, actor, at: now }, act)
    await also(tx, made.connection)
    return made
  })
  from.doorbell.ring(accessTopic(applicationId))
  await followLink(from, { connection, sync })
  return connection
}

/** One that was made before accounts told their id takes whichever signs in. */
function refuseOther({ sourceId }: Connection, account: Account): void {
  if (sourceId !== null && sourceId !== account.sourceId) throw new OtherAccount()
}
