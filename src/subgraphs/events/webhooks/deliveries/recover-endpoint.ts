import { invalidMember } from '../../../../domain/errors.ts'
import type { Caller } from '../../../../auth/caller.ts'
import type { Rows, Transaction } from '../../../../storage/database.ts'
import { placeholders } from '../../../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import { and } from '../../../../storage/sql/where.ts'
import { type Instant, toIso } from '../../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { findEndpoint, lockEndpoint, lockProgress } from '../endpoints/lock-endpoint.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { type DueDelivery, enqueueDeliveries } from './enqueue-delivery.ts'
import { type Deliverable, DELIVERABLE_COLUMNS, newDelivery } from './new-delivery.ts'
import { endpointFilter } from './endpoint-filter.ts'

const table = tableOf(WebhookDelivery)

/** Number of log positions that one batch scans. */
const WINDOW = 5000
const ENTRIES_PER_BATCH = 500

interface RecoverInput {
  readonly endpointId: string
  readonly since: Instant
}

export interface Recovered {
  readonly endpoint: WebhookEndpoint
  /** Number of events that will be sent. */
  readonly events: number
}

/**
 * Enqueues the events since a time to which an endpoint subscribes and which it has not received: failed and cancelled
 * deliveries, and events that were never sent to it. It scans the log in batches, each in its own transaction. After an
 * interruption, a second run enqueues the rest.
 */
export async function recoverEndpoint(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, since }: RecoverInput,
): Promise<Recovered> {
  const tenant = requireApplication(caller)
  const { db, clock } = deps
  const endpoint = await findEndpoint(db, tenant, endpointId)
  if (since > clock.now()) throw invalidMember('since', '`since` must not be in the future.')
  const to = await db.transaction((tx) => lockProgress(tx, endpoint, clock.now()))
  let at: RecoveryPosition = {
    position: (await positionAt(db, endpoint, since - DISORDER_MS, to)) - 1,
    dueAt: 0,
  }
  let events = 0
  while (at.position < to) {
    const batch = await db.transaction(async (tx) => {
      const locked = await lockEndpoint(tx, tenant, endpointId)
      await lockProgress(tx, locked, clock.now())
      const recovered = await recoverBatch(tx, locked, { at, to, since, now: clock.now() })
      // Only the first batch that enqueues events writes an audit entry.
      if (events === 0 && recovered.events > 0)
        await auditRecovery(tx, caller, { endpointId, since }, clock.now())
      return recovered
    })
    deps.notifier.notify(WEBHOOKS_TOPIC)
    events += batch.events
    at = batch.next
  }
  return { endpoint, events }
}

const auditRecovery = (
  tx: Transaction,
  caller: Caller,
  { endpointId, since }: RecoverInput,
  now: Instant,
): Promise<void> =>
  recordAudit(tx, auditedBy(caller, now), {
    action: 'webhook_endpoint.recovered',
    targetId: endpointId,
    detail: { since: toIso(since) },
  })

/** Position in the log, and the due time of the last delivery. Later deliveries are not due earlier. */
interface RecoveryPosition {
  readonly position: number
  readonly dueAt: Instant
}

interface LogRange {
  readonly at: RecoveryPosition
  readonly to: number
  readonly since: Instant
  readonly now: Instant
}

async function recoverBatch(
  tx: Transaction,
  endpoint: WebhookEndpoint,
  { at, to, since, now }: LogRange,
): Promise<{ events: number; next: RecoveryPosition }> {
  const end = Math.min(to, at.position + WINDOW)
  const entries = await subscribedEntries(tx, endpoint, at.position, end)
  const recent = entries.filter(({ occurredAt }) => Number(occurredAt) >= since)
  const existing = await deliveriesOf(tx, endpoint, recent)
  const dues: DueDelivery[] = []
  let { dueAt } = at
  for (const entry of recent) {
    const before = existing.get(entry.id)
    if (before?.status === 'pending' || before?.status === 'delivered') continue
    // Workers send the delivery that is due longest first, so ascending due times keep the log order.
    dueAt = Math.min(now, Math.max(dueAt, Number(entry.occurredAt)))
    dues.push({ delivery: before ?? newDelivery(endpoint, entry, now), isNew: !before, dueAt })
  }
  await enqueueDeliveries(tx, endpoint, dues)
  const last = entries.length === ENTRIES_PER_BATCH ? Number(entries.at(-1)?.position) : end
  return { events: dues.length, next: { position: last, dueAt } }
}

async function subscribedEntries(
  tx: Transaction,
  endpoint: WebhookEndpoint,
  after: number,
  end: number,
): Promise<Deliverable[]> {
  const { sql, parameters } = and(endpointFilter(tx.dialect, endpoint), {
    sql: '`position` > ? AND `position` <= ?',
    parameters: [after, end],
  })
  return tx.rows<Deliverable>(
    `SELECT ${DELIVERABLE_COLUMNS} FROM \`events\` WHERE ${sql} ORDER BY \`position\` LIMIT ${ENTRIES_PER_BATCH}`,
    parameters,
  )
}

async function deliveriesOf(
  tx: Transaction,
  { id }: WebhookEndpoint,
  entries: readonly Deliverable[],
): Promise<Map<string, WebhookDelivery>> {
  if (entries.length === 0) return new Map()
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`eventId\` IN (${placeholders(entries.length)})`,
    [id, ...entries.map((entry) => entry.id)],
  )
  return new Map(rows.map((row) => table.toRow(row)).map((delivery) => [delivery.eventId, delivery]))
}

/** Tolerance of the search by time: log order is commit order, which differs slightly from the order of times. */
const DISORDER_MS = 10 * 60_000

/** Returns the first position, up to `to`, of an entry at or after a time. Binary search: the log has no time index. */
async function positionAt(
  db: Rows,
  { applicationId }: WebhookEndpoint,
  time: Instant,
  to: number,
): Promise<number> {
  let [low, high] = [1, to + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [entry] = await db.rows<Pick<Deliverable, 'occurredAt'>>(
      'SELECT `occurredAt` FROM `events` WHERE `applicationId` = ? AND `position` >= ? ORDER BY `position` LIMIT 1',
      [applicationId, middle],
    )
    if (entry && Number(entry.occurredAt) < time) low = middle + 1
    else high = middle
  }
  return low
}
