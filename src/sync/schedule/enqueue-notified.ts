import type { Id } from '../../domain/ids.ts'
import { enqueuePollIfNone } from '../../queue/poll-jobs.ts'
import type { Transaction } from '../../storage/database.ts'
import type { ProviderWebhook } from '../../subgraphs/connections/provider-webhooks/provider-webhook.ts'
import type { Instant } from '../../domain/time.ts'
import type { WorkerDeps } from '../sync-context.ts'
import { requestScheduledSync } from './request-scheduled-sync.ts'
import { AUTOMATIC } from './schedule.ts'

/**
 * Delay before the next try if an unfinished sync or poll exists. It may have started before the notification, so it
 * may lack the new data.
 */
const RETRY_DELAY_MS = 5_000

const BATCH_SIZE = 4

type NotificationDueColumn = 'syncDueAt' | 'pollDueAt'

interface NotifiedConnection {
  readonly webhookId: Id<'providerWebhook'>
  readonly id: Id<'connection'>
  readonly provider: string
  readonly isAutomatic: number
  readonly dueAt: Instant | string
}

/** Requests syncs of at most `limit` connections whose provider has sent a notification of new data. */
export const enqueueNotifiedSyncs = (deps: WorkerDeps, limit: number): Promise<number> =>
  enqueueNotified(deps, 'syncDueAt', limit, syncNotified)

/** Enqueues polls of at most `limit` connections whose provider has sent a notification of new locations. */
export const enqueueNotifiedPolls = (deps: WorkerDeps, limit: number): Promise<number> =>
  enqueueNotified(deps, 'pollDueAt', limit, pollNotified)

/** Handles due notifications, longest waiting first. Returns their number. */
async function enqueueNotified(
  deps: WorkerDeps,
  dueColumn: NotificationDueColumn,
  limit: number,
  handle: (deps: WorkerDeps, notified: NotifiedConnection, now: Instant) => Promise<void>,
): Promise<number> {
  if (limit <= 0) return 0
  const now = deps.clock.now()
  const notified = await deps.db.rows<NotifiedConnection>(
    `SELECT w.\`id\` AS \`webhookId\`, w.\`connectionId\` AS \`id\`, c.\`provider\`, w.\`${dueColumn}\` AS \`dueAt\`,
      CASE WHEN ${AUTOMATIC} THEN 1 ELSE 0 END AS \`isAutomatic\`
      FROM \`provider_webhooks\` AS w JOIN \`connections\` AS c ON c.\`id\` = w.\`connectionId\`
      WHERE w.\`${dueColumn}\` <= ? ORDER BY w.\`${dueColumn}\` LIMIT ${Math.ceil(limit)}`,
    [now],
  )
  const enqueueOrClear = (connection: NotifiedConnection) =>
    Number(connection.isAutomatic) === 0 ? clearNotification(deps, connection) : handle(deps, connection, now)
  for (let start = 0; start < notified.length; start += BATCH_SIZE)
    await Promise.all(notified.slice(start, start + BATCH_SIZE).map(enqueueOrClear))
  return notified.length
}

/** Requests a sync and clears the notification in the same transaction. A later notification causes another sync. */
async function syncNotified(deps: WorkerDeps, notified: NotifiedConnection, now: Instant): Promise<void> {
  const claim = (tx: Transaction) =>
    updateWebhook(tx, notified, 'syncDueAt', { syncDueAt: null, syncedAt: now })
  if ((await requestScheduledSync(deps, notified, claim)) !== 'refused') return
  await deps.db.transaction((tx) =>
    updateWebhook(tx, notified, 'syncDueAt', { syncDueAt: now + RETRY_DELAY_MS }),
  )
}

/** Enqueues a poll. If an earlier poll absorbs it, keeps the notification: that poll may have read before it. */
async function pollNotified(
  { db, queue }: WorkerDeps,
  notified: NotifiedConnection,
  now: Instant,
): Promise<void> {
  const isQueued = await enqueuePollIfNone(queue, notified.id, 'LatestVehicleLocation')
  const values = isQueued ? { pollDueAt: null, polledAt: now } : { pollDueAt: now + RETRY_DELAY_MS }
  await db.transaction((tx) => updateWebhook(tx, notified, 'pollDueAt', values))
}

/** Discards the notifications of a connection that is not connected, or not in automatic mode. */
async function clearNotification({ db }: WorkerDeps, { webhookId, id }: NotifiedConnection): Promise<void> {
  await db.transaction((tx) =>
    tx.run(
      'UPDATE `provider_webhooks` SET `syncDueAt` = NULL, `pollDueAt` = NULL WHERE `id` = ? AND `connectionId` = ?',
      [webhookId, id],
    ),
  )
}

/** Updates a provider webhook. Returns false if another worker has changed the due time in the meantime. */
async function updateWebhook(
  tx: Transaction,
  notified: NotifiedConnection,
  dueColumn: NotificationDueColumn,
  values: Partial<ProviderWebhook>,
): Promise<boolean> {
  const columns = Object.keys(values).map((column) => `\`${column}\` = ?`)
  const sql = `UPDATE \`provider_webhooks\` SET ${columns.join(', ')}
    WHERE \`id\` = ? AND \`connectionId\` = ? AND \`${dueColumn}\` = ?`
  return (
    (await tx.run(sql, [...Object.values(values), notified.webhookId, notified.id, notified.dueAt])) === 1
  )
}
