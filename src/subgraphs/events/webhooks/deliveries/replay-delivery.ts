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
import { type Deliverable, DELIVERABLE, newDelivery } from './new-delivery.ts'

const table = tableOf(WebhookDelivery)

/** Sends an event to an endpoint again, whatever came of it before, with the same id and the same body. */
export async function replayDelivery(
  deps: WebhookCommandDeps,
  caller: Caller,
  { deliveryId, endpointId }: { readonly deliveryId: string; readonly endpointId?: string | null },
): Promise<WebhookDelivery> {
  const tenant = requireApplication(caller)
  const which = equal('id', deliveryId)
  return sending(deps, async (tx, now) => {
    const meant = await deliveryWhere(tx, tenant, which)
    if (!meant || meant.endpointId !== (endpointId ?? meant.endpointId))
      throw new PublicError('not_found', 'There is no such webhook delivery.')
    const endpoint = await lockEndpoint(tx, tenant, meant.endpointId)
    await lockProgress(tx, endpoint, now)
    const delivery = (await deliveryWhere(tx, tenant, which)) ?? meant
    if (delivery.body === null && !(await entryOf(tx, tenant, delivery.eventId)))
      throw new PublicError('unprocessable_entity', 'The log no longer has the event of this delivery.')
    return resetDelivery(tx, caller, endpoint, delivery, now)
  })
}

/** Sends an event of the log to an endpoint, whether or not it wants such and has had it. */
export async function replayEvent(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, eventId }: { readonly endpointId: string; readonly eventId: string },
): Promise<WebhookDelivery> {
  const tenant = requireApplication(caller)
  return sending(deps, async (tx, now) => {
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
    return replayed(tx, caller, endpoint, { delivery, isNew: true, dueAt: now })
  })
}

/** Whoever delivers makes the deliveries after the endpoint's position, and would make this one a second time. */
const notReached = () =>
  new PublicError('unprocessable_entity', 'The endpoint has not been offered this event yet.', {
    detail: 'If it wants it, it is sent in its turn.',
  })

async function sending(
  { db, clock, notifier }: WebhookCommandDeps,
  work: (tx: Transaction, now: Instant) => Promise<WebhookDelivery>,
): Promise<WebhookDelivery> {
  const delivery = await db.transaction((tx) => work(tx, clock.now()))
  notifier.notify(WEBHOOKS_TOPIC)
  return delivery
}

/** One that waits for an earlier event of its record goes on waiting. */
async function resetDelivery(
  tx: Transaction,
  caller: Caller,
  endpoint: WebhookEndpoint,
  delivery: WebhookDelivery,
  now: Instant,
): Promise<WebhookDelivery> {
  if (delivery.status === 'pending' && delivery.nextAttemptAt === null) return delivery
  return replayed(tx, caller, endpoint, { delivery, isNew: false, dueAt: now })
}

async function replayed(
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

/** Null also where the entry says nothing any more, because the data of its connection is deleted. */
async function entryOf(db: Rows, tenant: Tenant, id: string): Promise<Deliverable | null> {
  const where = and(tenantWhere(tenant), equal('id', id))
  const [entry] = await db.rows<Deliverable>(
    `SELECT ${DELIVERABLE} FROM \`events\` WHERE ${where.sql}`,
    where.parameters,
  )
  return entry && entry.type !== '' ? entry : null
}
