import type { Rows, Transaction } from '../storage/database.ts'
import { heldConnection } from '../subgraphs/connections/meant-connection.ts'
import { moveConnection } from '../subgraphs/connections/life/move-connection.ts'
import type { SyncRun } from './run.ts'

/** The credentials that a provider refused are no longer those of the connection: its fleet has signed in again. */
export class SignedInSince extends Error {
  override readonly name = 'SignedInSince'
}

/** Disconnects a connection whose credentials its provider refuses, in the transaction that ends the sync. */
export async function disconnectRefused(
  tx: Transaction,
  { connection: { id, applicationId }, providerName, clock, signedInWith }: SyncRun,
): Promise<void> {
  const held = await heldConnection(tx, { applicationId, connectionIds: [id] }, id)
  if ((await signInOf(tx, id)) !== signedInWith)
    throw new SignedInSince(`connection ${id} has other credentials by now`)
  await moveConnection(tx, held, 'refuse_credentials', { now: clock.now(), providerName })
}

/** The credentials of a connection as they are stored: they differ after each sign-in. */
export async function signInOf(db: Rows, connectionId: string): Promise<string> {
  const [row] = await db.rows<{ credentialsSealed: string }>(
    'SELECT `credentialsSealed` FROM `connections` WHERE `id` = ?',
    [connectionId],
  )
  return row?.credentialsSealed ?? ''
}
