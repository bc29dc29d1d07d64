import type { Id } from '../../ids.ts'
import { queueAnotherPoll } from '../../queue/polls.ts'
import type { Transaction } from '../../storage/database.ts'
import type { ProviderWebhook } from '../../subgraphs/connections/provider-webhooks/provider-webhook.ts'
import type { Instant } from '../../time.ts'
import type { SyncTools } from '../run.ts'
import { requestInTurn } from './request-in-turn.ts'
import { AUTOMATIC } from './schedule.ts'

/** While a sync or poll is under way that may have begun before the hint, the one that it asks for waits. */
const AGAIN_MS = 5_000

const AT_ONCE = 4

type Turn = 'syncDueAt' | 'pollDueAt'

interface Hinted {
  readonly webhookId: Id<'providerWebhook'>
  readonly id: Id<'connection'>
  readonly provider: string
  readonly isAutomatic: number
  readonly dueAt: Instant | string
}

/** Syncs the connections, so many at most, whose providers have told that there is something new. */
export const syncAllHinted = (tools: SyncTools, most: number): Promise<number> =>
  readHinted(tools, 'syncDueAt', most, syncHinted)

/** The same of positions, which are polled. */
export const pollAllHinted = (tools: SyncTools, most: number): Promise<number> =>
  readHinted(tools, 'pollDueAt', most, pollHinted)

/** Who has waited longest first. Gives how many there were. */
async function readHinted(
  tools: SyncTools,
  due: Turn,
  most: number,
  read: (tools: SyncTools, hinted: Hinted, now: Instant) => Promise<void>,
): Promise<number> {
  if (most <= 0) return 0
  const now = tools.clock.now()
  const hinted = await tools.db.rows<Hinted>(
    `SELECT w.\`id\` AS \`webhookId\`, w.\`connectionId\` AS \`id\`, c.\`provider\`, w.\`${due}\` AS \`dueAt\`,
      CASE WHEN ${AUTOMATIC} THEN 1 ELSE 0 END AS \`isAutomatic\`
      FROM \`provider_webhooks\` AS w JOIN \`connections\` AS c ON c.\`id\` = w.\`connectionId\`
      WHERE w.\`${due}\` <= ? ORDER BY w.\`${due}\` LIMIT ${Math.ceil(most)}`,
    [now],
  )
  const readOne = (one: Hinted) =>
    Number(one.isAutomatic) === 0 ? forget(tools, one) : read(tools, one, now)
  for (let at = 0; at < hinted.length; at += AT_ONCE)
    await Promise.all(hinted.slice(at, at + AT_ONCE).map(readOne))
  return hinted.length
}

/** A hint that comes once the sync is asked for makes another. */
async function syncHinted(tools: SyncTools, hinted: Hinted, now: Instant): Promise<void> {
  const take = (tx: Transaction) => set(tx, hinted, 'syncDueAt', { syncDueAt: null, syncedAt: now })
  if ((await requestInTurn(tools, hinted, take)) !== 'refused') return
  await tools.db.transaction((tx) => set(tx, hinted, 'syncDueAt', { syncDueAt: now + AGAIN_MS }))
}

/** A hint stays until a poll is queued for it: one that was there before may have read already. */
async function pollHinted({ db, queue }: SyncTools, hinted: Hinted, now: Instant): Promise<void> {
  const isQueued = await queueAnotherPoll(queue, hinted.id, 'LatestVehicleLocation')
  const then = isQueued ? { pollDueAt: null, polledAt: now } : { pollDueAt: now + AGAIN_MS }
  await db.transaction((tx) => set(tx, hinted, 'pollDueAt', then))
}

/** A connection that is not read any more by itself is not read because of what came before. */
async function forget({ db }: SyncTools, { webhookId, id }: Hinted): Promise<void> {
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
  hinted: Hinted,
  due: Turn,
  values: Partial<ProviderWebhook>,
): Promise<boolean> {
  const columns = Object.keys(values).map((column) => `\`${column}\` = ?`)
  const sql = `UPDATE \`provider_webhooks\` SET ${columns.join(', ')}
    WHERE \`id\` = ? AND \`connectionId\` = ? AND \`${due}\` = ?`
  return (await tx.run(sql, [...Object.values(values), hinted.webhookId, hinted.id, hinted.dueAt])) === 1
}
