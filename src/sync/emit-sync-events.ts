import type { Transaction } from '../storage/database.ts'
import { findById } from '../storage/find-by-id.ts'
import { appendEvents } from '../storage/outbox.ts'
import {
  connectionEvent,
  withIssueIds,
  syncEvent,
  type SyncWithIssues,
  syncToRestJson,
} from '../subgraphs/connections/events.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import { Sync } from '../subgraphs/connections/syncs/sync.ts'
import type { Instant } from '../domain/time.ts'

/**
 * Appends an event with the current state of a sync and its connection. If it is the first completed sync of the
 * connection, also appends `connection.first_sync_completed`.
 */
export async function emitSyncEvents(
  tx: Transaction,
  { id, connectionId, applicationId }: Sync,
  type: `sync.${string}`,
  providerName: string,
  at: Instant,
): Promise<void> {
  const [connection, sync] = [await findById(tx, Connection, connectionId), await findById(tx, Sync, id)]
  const [state] = sync ? await withIssueIds(tx, [sync]) : []
  if (!connection || !state) throw new Error(`sync ${id} or its connection does not exist`)
  const isFirst = type === 'sync.completed' && (await isOnlyCompleted(tx, connection))
  const first = isFirst ? [firstSyncEvent(connection, providerName, state)] : []
  await appendEvents(tx, { applicationId, connectionId, at }, [
    syncEvent(type, state, connection, providerName),
    ...first,
  ])
}

const firstSyncEvent = (connection: Connection, providerName: string, state: SyncWithIssues) =>
  connectionEvent('connection.first_sync_completed', connection, providerName, {
    sync: syncToRestJson(state),
  })

async function isOnlyCompleted(tx: Transaction, { id, applicationId }: Connection): Promise<boolean> {
  const completed = await tx.rows(
    "SELECT 1 FROM `syncs` WHERE `connectionId` = ? AND `applicationId` = ? AND `status` = 'completed' LIMIT 2",
    [id, applicationId],
  )
  return completed.length === 1
}
