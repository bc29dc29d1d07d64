import type { Database, Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { EventRow } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Instant } from '../../domain/time.ts'
import { type PayloadCache, type Payload, createPayloadCache } from './payload-cache.ts'
import type { LogWindow } from './event-log-window.ts'
import { type Message, newMessage } from './message.ts'

const deliveries = tableOf(WebhookDelivery)
const log = tableOf(EventRow)

/** Of so many records at once it is read what waits; of others the first message is sent alone. */
const MAX_RECORDS = 100

const FORGOTTEN = 'Its event is no longer kept.'

/** The deliveries of an endpoint whose time has come, those first that wait longest. */
export async function dueDeliveries(
  db: Rows,
  endpointId: string,
  { now, most }: { now: Instant; most: number },
): Promise<WebhookDelivery[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${deliveries.selected} FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`status\` = 'pending'
      AND \`nextAttemptAt\` <= ? ORDER BY \`nextAttemptAt\`, \`id\` LIMIT ${most}`,
    [endpointId, now],
  )
  return rows.map(toDelivery)
}

/** What waits for an earlier message of these records, the first of each in the order of the log. */
export async function waitingDeliveries(
  db: Rows,
  endpointId: string,
  resourceIds: readonly string[],
  most: number,
): Promise<WebhookDelivery[]> {
  const some = resourceIds.slice(0, MAX_RECORDS)
  if (some.length === 0) return []
  const each = Math.ceil(most / some.length)
  const first = `SELECT * FROM (SELECT ${deliveries.selected} FROM \`webhook_deliveries\` WHERE \`endpointId\` = ?
    AND \`status\` = 'pending' AND \`nextAttemptAt\` IS NULL AND \`resourceId\` = ? ORDER BY \`position\` LIMIT ${each}) AS waiting`
  const rows = await db.rows<Record<string, unknown>>(
    some.map(() => first).join(' UNION ALL '),
    some.flatMap((resourceId) => [endpointId, resourceId]),
  )
  return rows.map(toDelivery)
}

/** Deliveries of an endpoint with what is to be sent. */
export async function messagesOf(
  db: Rows,
  bodies: PayloadCache,
  endpoint: WebhookEndpoint,
  due: readonly WebhookDelivery[],
): Promise<Message[]> {
  const entries = await entriesOf(
    db,
    due.filter(({ body }) => body === null).map(({ eventId }) => eventId),
  )
  const made = await createPayloadCache(bodies, entries, endpoint.types)
  const byEvent = new Map(entries.map((entry, index) => [entry.id, { entry, body: made[index] as Payload }]))
  return due.map((delivery): Message => {
    const known = byEvent.get(delivery.eventId)
    const { body: text, type } = delivery
    const body = text === null ? (known?.body ?? { fault: FORGOTTEN, type }) : { text, type }
    return { delivery, isStored: true, body, storedType: known?.entry.type ?? type }
  })
}

async function entriesOf(db: Rows, ids: readonly string[]): Promise<EventRow[]> {
  if (ids.length === 0) return []
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${log.selected} FROM \`${log.name}\` WHERE \`id\` IN (${placeholders(ids.length)})`,
    ids,
  )
  return rows.map((row) => log.toRow(row))
}

function toDelivery(row: Record<string, unknown>): WebhookDelivery {
  const { position, attempts, createdAt, ...rest } = deliveries.toRow(row)
  return {
    ...rest,
    position: position === null ? null : Number(position),
    attempts: Number(attempts),
    createdAt: Number(createdAt),
  }
}

/** The messages of a stretch of the log that there is no delivery of yet. */
export async function newMessages(
  db: Rows,
  endpoint: WebhookEndpoint,
  { entries }: LogWindow,
  now: Instant,
): Promise<Message[]> {
  const ids = entries.map(({ entry }) => entry.id)
  const known = await deliveredAmong(db, endpoint.id, ids)
  return entries
    .filter(({ entry }) => !known.has(entry.id))
    .map(({ entry, body }) => newMessage(endpoint, entry, body, now))
}

/** Which of these events have a delivery to an endpoint already: whoever had it before may have been ahead. */
async function deliveredAmong(
  db: Rows,
  endpointId: string,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0) return new Set()
  const rows = await db.rows<{ eventId: string }>(
    `SELECT \`eventId\` FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`eventId\` IN (${placeholders(eventIds.length)})`,
    [endpointId, ...eventIds],
  )
  return new Set(rows.map(({ eventId }) => eventId))
}

/** The records of which messages are still to arrive, and whether one of them has its time. */
export async function heldResources(db: Rows, endpointId: string): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db.rows<{ resourceId: string; due: number }>(
    `SELECT \`resourceId\`, COUNT(\`nextAttemptAt\`) AS due FROM \`webhook_deliveries\`
      WHERE \`endpointId\` = ? AND \`status\` = 'pending' AND \`resourceId\` IS NOT NULL GROUP BY \`resourceId\``,
    [endpointId],
  )
  return new Map(rows.map(({ resourceId, due }) => [resourceId, Number(due) > 0]))
}

/** Makes what waits due: nothing waits for another message where the order does not matter. */
export async function releaseHeld(
  db: Pick<Database, 'rows' | 'transaction'>,
  endpointId: string,
  now: Instant,
): Promise<void> {
  const waiting = "`endpointId` = ? AND `status` = 'pending' AND `nextAttemptAt` IS NULL"
  const [one] = await db.rows(`SELECT 1 FROM \`webhook_deliveries\` WHERE ${waiting} LIMIT 1`, [endpointId])
  if (!one) return
  await db.transaction(
    (tx) =>
      tx.run(`UPDATE \`webhook_deliveries\` SET \`nextAttemptAt\` = ? WHERE ${waiting}`, [now, endpointId]),
    'repeatable',
  )
}
