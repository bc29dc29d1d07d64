import type { Id } from '../../ids.ts'
import { queuePoll } from '../../queue/polls.ts'
import type { Transaction } from '../../storage/database.ts'
import type { ProviderWebhook } from '../../subgraphs/connections/provider-webhooks/provider-webhook.ts'
import type { Instant } from '../../time.ts'
import type { SyncTools } from '../run.ts'
import { requestInTurn } from './request-in-turn.ts'
import { AUTOMATIC } from './schedule.ts'

/** While a sync or poll is under way that may have begun before the hint, the one that it asks for waits. */
const AGAIN_MS = 5_000

interface Hinted {
  readonly webhookId: Id<'providerWebhook'>
  readonly id: Id<'connection'>
  readonly provider: string
  readonly isAutomatic: number
  readonly syncDueAt: Instant | string | null
  readonly pollDueAt: Instant | string | null
}

/** Reads the connections, so many at most, whose providers have told that there is something new. */
export async function findHinted(tools: SyncTools, most: number): Promise<void> {
  if (most <= 0) return
  const now = tools.clock.now()
  const hinted = await tools.db.rows<Hinted>(
    `SELECT w.\`id\` AS \`webhookId\`, w.\`connectionId\` AS \`id\`, c.\`provider\`, w.\`syncDueAt\`, w.\`pollDueAt\`,
      CASE WHEN ${AUTOMATIC} THEN 1 ELSE 0 END AS \`isAutomatic\`
      FROM \`provider_webhooks\` AS w JOIN \`connections\` AS c ON c.\`id\` = w.\`connectionId\`
      WHERE w.\`syncDueAt\` <= ? OR w.\`pollDueAt\` <= ? LIMIT ${Math.ceil(most)}`,
    [now, now],
  )
  for (const one of hinted) {
    if (Number(one.isAutomatic) === 0) await forget(tools, one)
    else {
      if (isDue(one.syncDueAt, now)) await syncHinted(tools, one, now)
      if (isDue(one.pollDueAt, now)) await pollHinted(tools, one, now)
    }
  }
}

const isDue = (at: Instant | string | null, now: Instant): boolean => at !== null && Number(at) <= now

/** A hint that comes once the sync is asked for makes another. */
async function syncHinted(tools: SyncTools, hinted: Hinted, now: Instant): Promise<void> {
  const take = (tx: Transaction) => set(tx, hinted, 'syncDueAt', { syncDueAt: null, syncedAt: now })
  if ((await requestInTurn(tools, hinted, take)) !== 'refused') return
  await tools.db.transaction((tx) => set(tx, hinted, 'syncDueAt', { syncDueAt: now + AGAIN_MS }))
}

/** A hint stays until a poll is queued for it: one that was there before may have read already. */
async function pollHinted({ db, queue }: SyncTools, hinted: Hinted, now: Instant): Promise<void> {
  const isQueued = await queuePoll(queue, hinted.id, 'LatestVehicleLocation')
  const then = isQueued ? { pollDueAt: null, polledAt: now } : { pollDueAt: now + AGAIN_MS }
  await db.transaction((tx) => set(tx, hinted, 'pollDueAt', then))
}

/** A connection that is not read any more by itself is not read because of what came before. */
const forget = ({ db }: SyncTools, { webhookId, id }: Hinted): Promise<unknown> =>
  db.transaction((tx) =>
    tx.run(
      'UPDATE `provider_webhooks` SET `syncDueAt` = NULL, `pollDueAt` = NULL WHERE `id` = ? AND `connectionId` = ?',
      [webhookId, id],
    ),
  )

/** Changes what is due; false where another worker has done so in the meantime. */
async function set(
  tx: Transaction,
  hinted: Hinted,
  due: 'syncDueAt' | 'pollDueAt',
  values: Partial<ProviderWebhook>,
): Promise<boolean> {
  const columns = Object.keys(values).map((column) => `\`${column}\` = ?`)
  const sql = `UPDATE \`provider_webhooks\` SET ${columns.join(', ')}
    WHERE \`id\` = ? AND \`connectionId\` = ? AND \`${due}\` = ?`
  return (await tx.run(sql, [...Object.values(values), hinted.webhookId, hinted.id, hinted[due]])) === 1
}
