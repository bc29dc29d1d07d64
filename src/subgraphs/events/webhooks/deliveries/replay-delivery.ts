import type { Caller } from '../../../../auth/caller.ts'
import { PublicError } from '../../../../domain/errors.ts'
import type { Rows, Transaction } from '../../../../storage/database.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Tenant, type Where } from '../../../../storage/sql/where.ts'
import type { Instant } from '../../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { lockEndpoint, lockProgress } from '../endpoints/lock-endpoint.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { type DueDelivery, enqueueDeliveries } from './enqueue-delivery.ts'
import { type Deliverable, DELIVERABLE_COLUMNS, newDelivery } from './new-delivery.ts'

const table = tableOf(WebhookDelivery)

/** Sends the event of a delivery again, in any status, with the same id and the same body. */
export async function replayDelivery(
  deps: WebhookCommandDeps,
  caller: Caller,
  { deliveryId, endpointId }: { readonly deliveryId: string; readonly endpointId?: string | null },
): Promise<WebhookDelivery> {
  const tenant = requireApplication(caller)
  const byId = equal('id', deliveryId)
  return inTransaction(deps, async (tx, now) => {
    const found = await deliveryWhere(tx, tenant, byId)
    if (!found || found.endpointId !== (endpointId ?? found.endpointId))
      throw new PublicError('not_found', 'There is no such webhook delivery.')
    const endpoint = await lockEndpoint(tx, tenant, found.endpointId)
    await lockProgress(tx, endpoint, now)
    const delivery = (await deliveryWhere(tx, tenant, byId)) ?? found
    if (delivery.body === null && !(await entryOf(tx, tenant, delivery.eventId)))
      throw new PublicError('unprocessable_entity', 'The log no longer has the event of this delivery.')
    return resetDelivery(tx, caller, endpoint, delivery, now)
  })
}

/** Sends an event of the log to an endpoint. It may have received the event, and need not subscribe to its type. */
export async function replayEvent(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, eventId }: { readonly endpointId: string; readonly eventId: string },
): Promise<WebhookDelivery> {
  const tenant = requireApplication(caller)
  return inTransaction(deps, async (tx, now) => {
    const endpoint = await lockEndpoint(tx, tenant, endpointId)
    const entry = await entryOf(tx, tenant, eventId)
    if (entry?.position == null)
      throw new PublicError('not_found', 'There is no event with this id in the log.')
    const position = await lockProgress(tx, endpoint, now)
    const before = await deliveryWhere(tx, tenant, {
      sql: '`endpointId` = ? AND `eventId` = ?',
      parameters: [endpointId, eventId],
    })
    if (before) return resetDelivery(tx, caller, endpoint, before, now)
    if (Number(entry.position) > position) throw notReached()
    const delivery = newDelivery(endpoint, entry, now)
    return enqueueReplay(tx, caller, endpoint, { delivery, isNew: true, dueAt: now })
  })
}

/** Error for an event after the endpoint's position: the worker would create a second delivery of it. */
const notReached = () =>
  new PublicError('unprocessable_entity', 'The delivery to this endpoint has not reached this event yet.', {
    detail: 'If the endpoint subscribes to the event, it is sent in log order.',
  })

async function inTransaction(
  { db, clock, notifier }: WebhookCommandDeps,
  work: (tx: Transaction, now: Instant) => Promise<WebhookDelivery>,
): Promise<WebhookDelivery> {
  const delivery = await db.transaction((tx) => work(tx, clock.now()))
  notifier.notify(WEBHOOKS_TOPIC)
  return delivery
}

/**
 * Makes a delivery due now. A delivery that waits for an earlier event of its record keeps waiting. Its replay is
 * counted only, in case an attempt is in flight.
 */
async function resetDelivery(
  tx: Transaction,
  caller: Caller,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
  now: Instant,
): Promise<WebhookDelivery> {
  if (delivery.status === 'pending' && delivery.nextAttemptAt === null) {
    await tx.run(
      'UPDATE `webhook_deliveries` SET `replays` = `replays` + 1 WHERE `id` = ? AND `applicationId` = ?',
      [delivery.id, delivery.applicationId],
    )
    return delivery
  }
  return enqueueReplay(tx, caller, endpoint, { delivery, isNew: false, dueAt: now })
}

async function enqueueReplay(
  tx: Transaction,
  caller: Caller,
  endpoint: WebhookEndpoint,
  due: DueDelivery,
): Promise<WebhookDelivery> {
  const { id: targetId, eventId } = due.delivery
  const detail = { endpointId: endpoint.id, eventId }
  await recordAudit(tx, auditedBy(caller, due.dueAt), {
    action: 'webhook_delivery.replayed',
    targetId,
    detail,
  })
  return (await enqueueDeliveries(tx, endpoint, [due]))[0] ?? due.delivery
}

async function deliveryWhere(
  db: Rows,
  tenant: Tenant,
  condition: Where | null,
): Promise<WebhookDelivery | null> {
  const where = and(tenantWhere(tenant), condition)
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`webhook_deliveries\` WHERE ${where.sql}`,
    where.parameters,
  )
  return row ? table.toRow(row) : null
}

/** Loads a log entry. Null also if the entry is empty because the data of its connection was deleted. */
async function entryOf(db: Rows, tenant: Tenant, id: string): Promise<Deliverable | null> {
  const where = and(tenantWhere(tenant), equal('id', id))
  const [entry] = await db.rows<Deliverable>(
    `SELECT ${DELIVERABLE_COLUMNS} FROM \`events\` WHERE ${where.sql}`,
    where.parameters,
  )
  return entry && entry.type !== '' ? entry : null
}
