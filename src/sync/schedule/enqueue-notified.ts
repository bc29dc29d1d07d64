import type { Id } from '../../domain/ids.ts'
import { enqueuePollIfNone } from '../../queue/poll-jobs.ts'
import type { Transaction } from '../../storage/database.ts'
import type { ProviderWebhook } from '../../subgraphs/connections/provider-webhooks/provider-webhook.ts'
import type { Instant } from '../../domain/time.ts'
import type { WorkerDeps } from '../sync-context.ts'
import { requestScheduledSync } from './request-scheduled-sync.ts'
import { AUTOMATIC } from './schedule.ts'

/** While a sync or poll is under way that may have begun before the hint, the one that it asks for waits. */
const AGAIN_MS = 5_000

const AT_ONCE = 4

type NotificationDueColumn = 'syncDueAt' | 'pollDueAt'

interface NotifiedConnection {
  readonly webhookId: Id<'providerWebhook'>
  readonly id: Id<'connection'>
  readonly provider: string
  readonly isAutomatic: number
  readonly dueAt: Instant | string
}

/** Syncs the connections, so many at most, whose providers have told that there is something new. */
export const enqueueNotifiedSyncs = (deps: WorkerDeps, most: number): Promise<number> =>
  enqueueNotified(deps, 'syncDueAt', most, syncNotified)

/** The same of positions, which are polled. */
export const enqueueNotifiedPolls = (deps: WorkerDeps, most: number): Promise<number> =>
  enqueueNotified(deps, 'pollDueAt', most, pollNotified)

/** Who has waited longest first. Gives how many there were. */
async function enqueueNotified(
  deps: WorkerDeps,
  due: NotificationDueColumn,
  most: number,
  read: (deps: WorkerDeps, notified: NotifiedConnection, now: Instant) => Promise<void>,
): Promise<number> {
  if (most <= 0) return 0
  const now = deps.clock.now()
  const notified = await deps.db.rows<NotifiedConnection>(
    `SELECT w.\`id\` AS \`webhookId\`, w.\`connectionId\` AS \`id\`, c.\`provider\`, w.\`${due}\` AS \`dueAt\`,
      CASE WHEN ${AUTOMATIC} THEN 1 ELSE 0 END AS \`isAutomatic\`
      FROM \`provider_webhooks\` AS w JOIN \`connections\` AS c ON c.\`id\` = w.\`connectionId\`
      WHERE w.\`${due}\` <= ? ORDER BY w.\`${due}\` LIMIT ${Math.ceil(most)}`,
    [now],
  )
  const readOne = (one: NotifiedConnection) =>
    Number(one.isAutomatic) === 0 ? clearNotification(deps, one) : read(deps, one, now)
  for (let at = 0; at < notified.length; at += AT_ONCE)
    await Promise.all(notified.slice(at, at + AT_ONCE).map(readOne))
  return notified.length
}

/** A hint that comes once the sync is asked for makes another. */
async function syncNotified(deps: WorkerDeps, notified: NotifiedConnection, now: Instant): Promise<void> {
  const take = (tx: Transaction) => set(tx, notified, 'syncDueAt', { syncDueAt: null, syncedAt: now })
  if ((await requestScheduledSync(deps, notified, take)) !== 'refused') return
  await deps.db.transaction((tx) => set(tx, notified, 'syncDueAt', { syncDueAt: now + AGAIN_MS }))
}

/** A hint stays until a poll is queued for it: one that was there before may have read already. */
async function pollNotified(
  { db, queue }: WorkerDeps,
  notified: NotifiedConnection,
  now: Instant,
): Promise<void> {
  const isQueued = await enqueuePollIfNone(queue, notified.id, 'LatestVehicleLocation')
  const then = isQueued ? { pollDueAt: null, polledAt: now } : { pollDueAt: now + AGAIN_MS }
  await db.transaction((tx) => set(tx, notified, 'pollDueAt', then))
}

/** A connection that is not read any more by itself is not read because of what came before. */
async function clearNotification({ db }: WorkerDeps, { webhookId, id }: NotifiedConnection): Promise<void> {
  await db.transaction((tx) =>
    tx.run(
      'UPDATE `provider_webhooks` SET `syncDueAt` = NULL, `pollDueAt` = NULL WHERE `id` = ? AND `connectionId` = ?',
      [webhookId, id],
    ),
  )
}

/** Changes what is due; false where another worker has done so in the meantime. */
async function set(
  tx: Transaction,
  notified: NotifiedConnection,
  due: NotificationDueColumn,
  values: Partial<ProviderWebhook>,
): Promise<boolean> {
  const columns = Object.keys(values).map((column) => `\`${column}\` = ?`)
  const sql = `UPDATE \`provider_webhooks\` SET ${columns.join(', ')}
    WHERE \`id\` = ? AND \`connectionId\` = ? AND \`${due}\` = ?`
  return (
    (await tx.run(sql, [...Object.values(values), notified.webhookId, notified.id, notified.dueAt])) === 1
  )
}
