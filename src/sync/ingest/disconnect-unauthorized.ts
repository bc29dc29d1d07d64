import type { Transaction } from '../../storage/database.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { credentialsVersion } from '../../subgraphs/connections/credentials/stored-credentials.ts'
import { transitionConnection } from '../../subgraphs/connections/lifecycle/transition-connection.ts'
import { lockConnection } from '../../subgraphs/connections/find-connection.ts'
import type { Clock } from '../../domain/time.ts'

/** The credentials that a provider refused are no longer those of the connection: its fleet has signed in again. */
export class CredentialsReplaced extends Error {
  override readonly name = 'CredentialsReplaced'
}

/** A connection whose account is open, for whoever reads it. */
export interface OpenedConnection {
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
export async function disconnectUnauthorized(
  tx: Transaction,
  { connection: { id, applicationId }, providerName, clock, signedInWith }: OpenedConnection,
  { keepsSyncs = false } = {},
): Promise<void> {
  const held = await lockConnection(tx, { applicationId, connectionIds: [id] }, id)
  if ((await credentialsVersion(tx, id)) !== signedInWith)
    throw new CredentialsReplaced(`connection ${id} has other credentials by now`)
  await transitionConnection(tx, held, 'refuse_credentials', { now: clock.now(), providerName, keepsSyncs })
}
