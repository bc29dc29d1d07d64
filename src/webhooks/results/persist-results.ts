import type { Id } from '../../domain/ids.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { forUpdate, upsertSql } from '../../storage/sql/dialect.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { statesSql } from '../../subgraphs/tables/connection-states.ts'
import { WebhookAttempt } from '../../subgraphs/events/webhooks/webhook-attempt.ts'
import { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { DisabledReason } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Instant } from '../../domain/time.ts'
import { disableFailingEndpoint } from './disable-failing-endpoint.ts'
import { withReplays } from './with-replays.ts'
import type { DeliveryOutcome, EndpointHealth } from '../attempts/attempt-outcome.ts'

/** The only event that endpoints get about a connection whose data is deleted. */
const DELIVERED_AFTER_DELETION = 'connection.deleted'

const deliveries = tableOf(WebhookDelivery)
const attempts = tableOf(WebhookAttempt)

/** Results of one endpoint that one transaction writes. */
export interface EndpointResults {
  readonly endpointId: Id<'webhookEndpoint'>
  readonly applicationId: Id<'application'>
  readonly position: number
  readonly health: EndpointHealth
  readonly outcomes: readonly DeliveryOutcome[]
  /** Records without an in-flight message; the next waiting message of each may become due. */
  readonly releasedResources: readonly string[]
  readonly disableReason: DisabledReason | null
}

export interface PersistedResults {
  /** Endpoints that this worker still leases; nothing was written for the others. */
  readonly leased: ReadonlySet<string>
  /** Released records without waiting messages, by endpoint. */
  readonly resourcesDone: ReadonlyMap<string, readonly string[]>
  readonly disabled: ReadonlySet<string>
}

/** Writes outcomes, log positions and health of the endpoints that this worker still leases. */
export const persistResults = (
  db: Pick<Database, 'transaction'>,
  owner: string,
  entries: readonly EndpointResults[],
  now: Instant,
): Promise<PersistedResults> =>
  db.transaction(async (tx) => {
    const leased = await lockLeased(tx, owner, entries)
    const current = entries.filter(({ endpointId }) => leased.has(endpointId))
    await writeOutcomes(
      tx,
      current.flatMap((entry) => entry.outcomes),
      now,
    )
    await updateProgress(tx, current)
    const resourcesDone = new Map<string, readonly string[]>()
    for (const entry of current) resourcesDone.set(entry.endpointId, await releaseNext(tx, entry, now))
    return { leased, resourcesDone, disabled: await disableEndpoints(tx, current, now) }
  })

/** Writes one outcome of an endpoint that this worker still leases. The position stays: later outcomes may be refused. */
export const persistOutcome = (
  db: Pick<Database, 'transaction'>,
  owner: string,
  { outcome, now }: { readonly outcome: DeliveryOutcome; readonly now: Instant },
): Promise<void> =>
  db.transaction(async (tx) => {
    const leased = await lockLeased(tx, owner, [outcome.delivery])
    if (leased.size > 0) await writeOutcomes(tx, [outcome], now)
  })

async function writeOutcomes(tx: Transaction, all: readonly DeliveryOutcome[], now: Instant): Promise<void> {
  const outcomes = await withReplays(tx, await withoutDeletedConnections(tx, all), now)
  const rows = (isStored: boolean) =>
    outcomes.filter(({ message }) => message.isStored === isStored).map(({ delivery }) => delivery)
  await tx.insert(deliveries, rows(false))
  await tx.upsert(deliveries, rows(true))
  await tx.insert(
    attempts,
    outcomes.flatMap(({ attempt }) => attempt ?? []),
  )
}

/**
 * Drops outcomes of connections whose data is deleted or being deleted, except for `connection.deleted`:
 * messages that were in flight during the deletion would otherwise leave rows behind.
 */
async function withoutDeletedConnections(
  tx: Transaction,
  outcomes: readonly DeliveryOutcome[],
): Promise<readonly DeliveryOutcome[]> {
  const ids = [...new Set(outcomes.flatMap(({ delivery }) => delivery.connectionId ?? []))]
  if (ids.length === 0) return outcomes
  const rows = await tx.rows<{ id: string }>(
    `SELECT \`id\` FROM \`connections\` WHERE \`id\` IN (${placeholders(ids.length)}) AND \`status\` IN (${statesSql('isDeleted')})`,
    ids,
  )
  const deletedIds = new Set<string | null>(rows.map(({ id }) => id))
  return outcomes.filter(
    ({ delivery, message }) =>
      !deletedIds.has(delivery.connectionId) || message.storedType === DELIVERED_AFTER_DELETION,
  )
}

async function lockLeased(
  tx: Transaction,
  owner: string,
  entries: readonly Pick<EndpointResults, 'endpointId'>[],
): Promise<ReadonlySet<string>> {
  const ids = entries.map(({ endpointId }) => endpointId).sort()
  const rows = await tx.rows<{ endpointId: string; leaseOwner: string | null }>(
    `SELECT \`endpointId\`, \`leaseOwner\` FROM \`webhook_progress\` WHERE \`endpointId\` IN (${placeholders(ids.length)})${forUpdate(tx.dialect)}`,
    ids,
  )
  return new Set(rows.filter(({ leaseOwner }) => leaseOwner === owner).map(({ endpointId }) => endpointId))
}

const PROGRESS_COLUMNS = [
  'endpointId',
  'applicationId',
  'position',
  'failures',
  'failingSince',
  'lastSuccessAt',
  'lastAttemptAt',
]

async function updateProgress(tx: Transaction, entries: readonly EndpointResults[]): Promise<void> {
  if (entries.length === 0) return
  await tx.run(
    upsertSql(tx.dialect, 'webhook_progress', PROGRESS_COLUMNS, ['endpointId'], entries.length),
    entries.flatMap(({ endpointId, applicationId, position, health }) => [
      endpointId,
      applicationId,
      position,
      health.failures,
      health.failingSince,
      health.lastSuccessAt,
      health.lastAttemptAt,
    ]),
  )
}

/**
 * Makes the next waiting message of each released record due, unless the record already has a scheduled
 * message. Returns the records without pending messages.
 */
async function releaseNext(
  tx: Transaction,
  { endpointId, releasedResources }: EndpointResults,
  now: Instant,
): Promise<readonly string[]> {
  const scheduled = await scheduledResources(tx, endpointId, releasedResources)
  const resourcesDone: string[] = []
  for (const resourceId of releasedResources) {
    if (scheduled.has(resourceId)) continue
    const [next] = await tx.rows<{ id: string }>(
      `SELECT \`id\` FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`status\` = 'pending'
        AND \`nextAttemptAt\` IS NULL AND \`resourceId\` = ? ORDER BY \`position\` LIMIT 1`,
      [endpointId, resourceId],
    )
    if (next)
      await tx.run('UPDATE `webhook_deliveries` SET `nextAttemptAt` = ? WHERE `id` = ?', [now, next.id])
    else resourcesDone.push(resourceId)
  }
  return resourcesDone
}

/** Records that already have a scheduled message; their other messages wait for it. */
async function scheduledResources(
  tx: Transaction,
  endpointId: string,
  resourceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (resourceIds.length === 0) return new Set()
  const rows = await tx.rows<{ resourceId: string }>(
    `SELECT DISTINCT \`resourceId\` FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`status\` = 'pending'
      AND \`nextAttemptAt\` > 0 AND \`resourceId\` IN (${placeholders(resourceIds.length)})`,
    [endpointId, ...resourceIds],
  )
  return new Set(rows.map(({ resourceId }) => resourceId))
}

async function disableEndpoints(
  tx: Transaction,
  entries: readonly EndpointResults[],
  at: Instant,
): Promise<ReadonlySet<string>> {
  const disabled = new Set<string>()
  for (const { endpointId, disableReason: reason, health } of entries) {
    if (reason === null) continue
    const { failingSince } = health
    if (await disableFailingEndpoint(tx, { endpointId, reason, failingSince, at })) disabled.add(endpointId)
  }
  return disabled
}
