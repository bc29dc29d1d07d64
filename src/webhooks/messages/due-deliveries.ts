import type { Database, Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { EventRow } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Instant } from '../../domain/time.ts'
import { type PayloadBuilder, type MessagePayload, buildPayloads } from './build-payloads.ts'
import type { LogWindow } from './event-log-window.ts'
import { type Message, newMessage } from './message.ts'

const deliveries = tableOf(WebhookDelivery)
const log = tableOf(EventRow)

/** Maximum number of records whose waiting deliveries are read at once. */
const MAX_RECORDS = 100

const EXPIRED_EVENT = 'The event is no longer in the event log.'

/**
 * Reads due deliveries of an endpoint, ordered by `nextAttemptAt`. With ordering, the first delivery of a record is due;
 * the later ones wait for it and have no `nextAttemptAt`.
 */
export async function dueDeliveries(
  db: Rows,
  endpointId: string,
  { now, limit }: { now: Instant; limit: number },
): Promise<WebhookDelivery[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${deliveries.selected} FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`status\` = 'pending'
      AND \`nextAttemptAt\` <= ? ORDER BY \`nextAttemptAt\`, \`id\` LIMIT ${limit}`,
    [endpointId, now],
  )
  return rows.map(toDelivery)
}

/**
 * Reads the deliveries that wait for an earlier one of the same record, in log order. The records share the limit
 * evenly. Records in excess of `MAX_RECORDS` are left out; their deliveries wait for a later call.
 */
export async function waitingDeliveries(
  db: Rows,
  endpointId: string,
  resourceIds: readonly string[],
  limit: number,
): Promise<WebhookDelivery[]> {
  const batch = resourceIds.slice(0, MAX_RECORDS)
  if (batch.length === 0) return []
  const perRecord = Math.ceil(limit / batch.length)
  const first = `SELECT * FROM (SELECT ${deliveries.selected} FROM \`webhook_deliveries\` WHERE \`endpointId\` = ?
    AND \`status\` = 'pending' AND \`nextAttemptAt\` IS NULL AND \`resourceId\` = ? ORDER BY \`position\` LIMIT ${perRecord}) AS waiting`
  const rows = await db.rows<Record<string, unknown>>(
    batch.map(() => first).join(' UNION ALL '),
    batch.flatMap((resourceId) => [endpointId, resourceId]),
  )
  return rows.map(toDelivery)
}

/**
 * Turns stored deliveries into messages. A delivery that was attempted has its body; the others get theirs from the
 * event log.
 */
export async function storedMessages(
  db: Rows,
  builder: PayloadBuilder,
  endpoint: WebhookEndpoint,
  due: readonly WebhookDelivery[],
): Promise<Message[]> {
  const entries = await entriesOf(
    db,
    due.filter(({ body }) => body === null).map(({ eventId }) => eventId),
  )
  const payloads = await buildPayloads(builder, entries, endpoint.types)
  const byEvent = new Map(
    entries.map((entry, index) => [entry.id, { entry, payload: payloads[index] as MessagePayload }]),
  )
  return due.map((delivery): Message => {
    const built = byEvent.get(delivery.eventId)
    const { body: text, type } = delivery
    const payload = text === null ? (built?.payload ?? { error: EXPIRED_EVENT, type }) : { text, type }
    return { delivery, isStored: true, payload, storedType: built?.entry.type ?? type }
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
  const { position, attempts, replays, createdAt, ...rest } = deliveries.toRow(row)
  return {
    ...rest,
    position: position === null ? null : Number(position),
    attempts: Number(attempts),
    replays: Number(replays),
    createdAt: Number(createdAt),
  }
}

/** Messages for the events of a log window that have no delivery to the endpoint yet. */
export async function newMessages(
  db: Rows,
  endpoint: WebhookEndpoint,
  { entries }: LogWindow,
  now: Instant,
): Promise<Message[]> {
  const ids = entries.map(({ entry }) => entry.id)
  const deliveredIds = await deliveredAmong(db, endpoint.id, ids)
  return entries
    .filter(({ entry }) => !deliveredIds.has(entry.id))
    .map(({ entry, payload }) => newMessage(endpoint, entry, payload, now))
}

/**
 * Returns the events that already have a delivery to the endpoint. A worker that stopped before it stored the endpoint's
 * position in the log may have sent them.
 */
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

/** Returns the records with pending deliveries, and whether one of these deliveries has a `nextAttemptAt`. */
export async function pendingResources(db: Rows, endpointId: string): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db.rows<{ resourceId: string; due: number }>(
    `SELECT \`resourceId\`, COUNT(\`nextAttemptAt\`) AS due FROM \`webhook_deliveries\`
      WHERE \`endpointId\` = ? AND \`status\` = 'pending' AND \`resourceId\` IS NOT NULL GROUP BY \`resourceId\``,
    [endpointId],
  )
  return new Map(rows.map(({ resourceId, due }) => [resourceId, Number(due) > 0]))
}

/** Makes all waiting deliveries of an endpoint due. Without ordering, no earlier delivery would release them. */
export async function makeWaitingDue(
  db: Pick<Database, 'rows' | 'transaction'>,
  endpointId: string,
  now: Instant,
): Promise<void> {
  const waiting = "`endpointId` = ? AND `status` = 'pending' AND `nextAttemptAt` IS NULL"
  const [found] = await db.rows(`SELECT 1 FROM \`webhook_deliveries\` WHERE ${waiting} LIMIT 1`, [endpointId])
  if (!found) return
  await db.transaction(
    (tx) =>
      tx.run(`UPDATE \`webhook_deliveries\` SET \`nextAttemptAt\` = ? WHERE ${waiting}`, [now, endpointId]),
    'idempotent',
  )
}
