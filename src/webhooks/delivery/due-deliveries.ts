import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/in-order.ts'
import { LogEntry } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/table.ts'
import { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Instant } from '../../time.ts'
import { type Bodies, type Body, bodiesOf } from './bodies.ts'
import type { LogWindow } from './log-window.ts'
import { type Message, newMessage } from './message.ts'

const deliveries = tableOf(WebhookDelivery)
const log = tableOf(LogEntry)

const FORGOTTEN = 'Its event is no longer kept.'

/** The messages of an endpoint whose time has come, those first that wait longest. */
export async function dueMessages(
  db: Rows,
  bodies: Bodies,
  endpoint: WebhookEndpoint,
  { now, most }: { now: Instant; most: number },
): Promise<Message[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${deliveries.selected} FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`status\` = 'pending'
      AND \`nextAttemptAt\` <= ? ORDER BY \`nextAttemptAt\`, \`id\` LIMIT ${most}`,
    [endpoint.id, now],
  )
  const due = rows.map(toDelivery)
  const entries = await entriesOf(
    db,
    due.filter(({ body }) => body === null).map(({ eventId }) => eventId),
  )
  const made = await bodiesOf(bodies, entries, endpoint.types)
  const byEvent = new Map(entries.map((entry, index) => [entry.id, { entry, body: made[index] as Body }]))
  return due.map((delivery): Message => {
    const known = byEvent.get(delivery.eventId)
    const { body: text, type } = delivery
    const body = text === null ? (known?.body ?? { fault: FORGOTTEN, type }) : { text, type }
    return { delivery, isStored: true, body, storedType: known?.entry.type ?? type }
  })
}

async function entriesOf(db: Rows, ids: readonly string[]): Promise<LogEntry[]> {
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

/** The records of which messages are still to arrive: whether one is to be sent, and whether others wait for it. */
export async function heldResources(
  db: Rows,
  endpointId: string,
): Promise<ReadonlyMap<string, { readonly isDue: boolean; readonly waits: boolean }>> {
  const rows = await db.rows<{ resourceId: string; due: number; total: number }>(
    `SELECT \`resourceId\`, COUNT(\`nextAttemptAt\`) AS due, COUNT(*) AS total FROM \`webhook_deliveries\`
      WHERE \`endpointId\` = ? AND \`status\` = 'pending' AND \`resourceId\` IS NOT NULL GROUP BY \`resourceId\``,
    [endpointId],
  )
  return new Map(
    rows.map(({ resourceId, due, total }) => [
      resourceId,
      { isDue: Number(due) > 0, waits: Number(total) > Number(due) },
    ]),
  )
}
