import type { Id } from '../ids.ts'
import { PublicError } from '../errors.ts'
import { pollNow, schedulePolls, unschedulePolls } from '../queue/polls.ts'
import { enqueueSync, requestSync } from '../subgraphs/connections/syncs/request-sync.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { removeAbandoned } from '../storage/open-writes.ts'
import { deleteDueConnections } from './delete-data.ts'
import type { SyncTools } from './run.ts'

/** How often managed polling asks where vehicles are, and how often a connection is synced. */
export interface Cadence {
  readonly pollMs: number
  readonly syncMs: number
}

/** What the database says is due goes into the queue, whatever the queue still knows of it. */
export async function reconcile(tools: SyncTools, cadence: Cadence): Promise<void> {
  await removeAbandoned(tools.db, tools.clock.now())
  await deleteDueConnections(tools)
  await requeueSyncs(tools)
  await requestDueSyncs(tools, cadence)
  await declarePolls(tools, cadence)
}

async function requeueSyncs({ db, queue, clock }: SyncTools): Promise<void> {
  const due = await db.rows<{ id: Id<'sync'>; connectionId: Id<'connection'> }>(
    `SELECT \`id\`, \`connectionId\` FROM \`syncs\` WHERE \`status\` IN ('requested', 'in_progress')
      AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` < ?)`,
    [clock.now()],
  )
  for (const sync of due) await enqueueSync({ queue }, sync)
}

interface Automatic {
  readonly id: Id<'connection'>
  readonly provider: string
}

async function requestDueSyncs(tools: SyncTools, { syncMs }: Cadence): Promise<void> {
  const { db, clock } = tools
  const due = await db.rows<Automatic>(
    `SELECT c.\`id\`, c.\`provider\` FROM \`connections\` AS c LEFT JOIN \`syncs\` AS s ON s.\`id\` = c.\`lastSyncId\`
      WHERE c.\`status\` = 'connected' AND c.\`syncMode\` = 'automatic'
      AND (s.\`id\` IS NULL OR (s.\`status\` IN ('completed', 'failed') AND s.\`requestedAt\` <= ?))`,
    [clock.now() - syncMs],
  )
  for (const connection of due) await requestAndEnqueue(tools, connection)
}

async function requestAndEnqueue(tools: SyncTools, { id, provider }: Automatic): Promise<void> {
  const providerName = tools.registry.find(provider)?.manifest.name ?? provider
  try {
    const sync = await requestSync(tools.db, { connectionId: id, providerName }, tools.clock.now())
    tools.doorbell.ring(OUTBOX_TOPIC)
    await pollNow(tools.queue, id)
    await enqueueSync(tools, sync)
  } catch (error) {
    // Somebody else has asked in the meantime, or the connection is no longer connected.
    if (!(error instanceof PublicError)) throw error
  }
}

async function declarePolls({ db, queue }: SyncTools, { pollMs }: Cadence): Promise<void> {
  const connections = await db.rows<{ id: Id<'connection'>; status: string; syncMode: string }>(
    'SELECT `id`, `status`, `syncMode` FROM `connections`',
  )
  for (const { id, status, syncMode } of connections) {
    if (status === 'connected' && syncMode === 'automatic') await schedulePolls(queue, id, pollMs)
    else await unschedulePolls(queue, id)
  }
}
