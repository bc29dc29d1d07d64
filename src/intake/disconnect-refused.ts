import type { Transaction } from '../storage/database.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { signInOf } from '../subgraphs/connections/credentials/stored-credentials.ts'
import { moveConnection } from '../subgraphs/connections/life/move-connection.ts'
import { heldConnection } from '../subgraphs/connections/meant-connection.ts'
import type { Clock } from '../time.ts'

/** The credentials that a provider refused are no longer those of the connection: its fleet has signed in again. */
export class SignedInSince extends Error {
  override readonly name = 'SignedInSince'
}

/** A connection whose account is open, for whoever reads it. */
export interface SignedIn {
  readonly connection: Pick<Connection, 'id' | 'applicationId'>
  readonly providerName: string
  readonly clock: Clock
  /** Its credentials as they were stored when it was opened, or were renewed last. */
  signedInWith: string
}

/**
 * Disconnects a connection whose credentials its provider refuses. A sync does so in the transaction that ends it;
 * whoever else finds it out leaves syncs to find out by themselves: `keepsSyncs`.
 */
export async function disconnectRefused(
  tx: Transaction,
  { connection: { id, applicationId }, providerName, clock, signedInWith }: SignedIn,
  { keepsSyncs = false } = {},
): Promise<void> {
  const held = await heldConnection(tx, { applicationId, connectionIds: [id] }, id)
  if ((await signInOf(tx, id)) !== signedInWith)
    throw new SignedInSince(`connection ${id} has other credentials by now`)
  await moveConnection(tx, held, 'refuse_credentials', { now: clock.now(), providerName, keepsSyncs })
}
