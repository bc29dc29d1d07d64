import type { Transaction } from '../../storage/database.ts'
import { forUpdate } from '../../storage/sql/dialect.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { credentialsVersion } from '../../subgraphs/connections/credentials/stored-credentials.ts'
import { transitionConnection } from '../../subgraphs/connections/lifecycle/transition-connection.ts'
import { lockConnection } from '../../subgraphs/connections/find-connection.ts'
import type { Clock } from '../../domain/time.ts'

/** Error: the connection has newer credentials than the refused ones, because the fleet has signed in again. */
export class CredentialsReplaced extends Error {
  override readonly name = 'CredentialsReplaced'
}

/** Connection whose provider account is open. */
export interface OpenedConnection {
  readonly connection: Pick<Connection, 'id' | 'applicationId'>
  readonly providerName: string
  readonly clock: Clock
  /** Version of the credentials that requests use: from the opening of the account, or from a renewal since. */
  usedCredentialsVersion: string
}

/**
 * Disconnects a connection whose credentials the provider refuses. A sync calls it in the transaction that ends the
 * sync. Other callers set `keepsSyncs`: an unfinished sync then continues, and finds the refusal itself. Throws
 * `CredentialsReplaced` if the connection has newer credentials.
 */
export async function disconnectUnauthorized(
  tx: Transaction,
  { connection: { id, applicationId }, providerName, clock, usedCredentialsVersion }: OpenedConnection,
  { keepsSyncs = false } = {},
): Promise<void> {
  const locked = await lockConnection(tx, { applicationId, connectionIds: [id] }, id)
  // A read without a lock may return the row as it was at the start of the transaction.
  if ((await credentialsVersion(tx, { id, applicationId }, forUpdate(tx.dialect))) !== usedCredentialsVersion)
    throw new CredentialsReplaced(`the credentials of connection ${id} have been replaced`)
  await transitionConnection(tx, locked, 'refuse_credentials', { now: clock.now(), providerName, keepsSyncs })
}
