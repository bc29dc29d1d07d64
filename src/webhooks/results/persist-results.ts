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
import type { DeliveryOutcome, EndpointHealth } from '../attempts/attempt-outcome.ts'

/** The one event that is told of a connection whose data are gone. */
const TOLD_OF_GONE = 'connection.deleted'

const deliveries = tableOf(WebhookDelivery)
const attempts = tableOf(WebhookAttempt)

/** What is recorded of one endpoint at once. */
export interface EndpointResults {
  readonly endpointId: Id<'webhookEndpoint'>
  readonly applicationId: Id<'application'>
  readonly position: number
  readonly health: EndpointHealth
  readonly outcomes: readonly DeliveryOutcome[]
  /** Records of which no message is being sent: the next that waits may be. */
  readonly released: readonly string[]
  readonly disable: DisabledReason | null
}

export interface PersistedResults {
  /** The endpoints that were still this worker's; nothing was written for the others. */
  readonly held: ReadonlySet<string>
  /** By endpoint, the records of which no message waits. */
  readonly free: ReadonlyMap<string, readonly string[]>
  readonly disabled: ReadonlySet<string>
}

/** Writes what came of messages, with how far each endpoint has been told, for as long as it is this worker's. */
export const persistResults = (
  db: Pick<Database, 'transaction'>,
  owner: string,
  entries: readonly EndpointResults[],
  now: Instant,
): Promise<PersistedResults> =>
  db.transaction(async (tx) => {
    const held = await findHeld(tx, owner, entries)
    const mine = entries.filter(({ endpointId }) => held.has(endpointId))
    const outcomes = await recordableOf(
      tx,
      mine.flatMap((entry) => entry.outcomes),
    )
    await tx.insert(
      deliveries,
      outcomes.filter(({ message }) => !message.isStored).map(({ delivery }) => delivery),
    )
    await tx.upsert(
      deliveries,
      outcomes.filter(({ message }) => message.isStored).map(({ delivery }) => delivery),
    )
    await tx.insert(
      attempts,
      outcomes.flatMap(({ attempt }) => attempt ?? []),
    )
    await moveOn(tx, mine)
    const free = new Map<string, readonly string[]>()
    for (const entry of mine) free.set(entry.endpointId, await releaseNext(tx, entry, now))
    return { held, free, disabled: await disableAll(tx, mine, now) }
  })

/** Of a connection whose data go, or are gone, only that is kept: what was under way meanwhile would outlive it. */
async function recordableOf(
  tx: Transaction,
  outcomes: readonly DeliveryOutcome[],
): Promise<readonly DeliveryOutcome[]> {
  const ids = [...new Set(outcomes.flatMap(({ delivery }) => delivery.connectionId ?? []))]
  if (ids.length === 0) return outcomes
  const rows = await tx.rows<{ id: string }>(
    `SELECT \`id\` FROM \`connections\` WHERE \`id\` IN (${placeholders(ids.length)}) AND \`status\` IN (${statesSql('isGone')})`,
    ids,
  )
  const gone = new Set<string | null>(rows.map(({ id }) => id))
  return outcomes.filter(
    ({ delivery, message }) => !gone.has(delivery.connectionId) || message.storedType === TOLD_OF_GONE,
  )
}

async function findHeld(
  tx: Transaction,
  owner: string,
  entries: readonly EndpointResults[],
): Promise<ReadonlySet<string>> {
  const ids = entries.map(({ endpointId }) => endpointId).sort()
  const rows = await tx.rows<{ endpointId: string; leaseOwner: string | null }>(
    `SELECT \`endpointId\`, \`leaseOwner\` FROM \`webhook_progress\` WHERE \`endpointId\` IN (${placeholders(ids.length)})${forUpdate(tx.dialect)}`,
    ids,
  )
  return new Set(rows.filter(({ leaseOwner }) => leaseOwner === owner).map(({ endpointId }) => endpointId))
}

const MOVED = [
  'endpointId',
  'applicationId',
  'position',
  'failures',
  'failingSince',
  'lastSuccessAt',
  'lastAttemptAt',
]

async function moveOn(tx: Transaction, entries: readonly EndpointResults[]): Promise<void> {
  if (entries.length === 0) return
  await tx.run(
    upsertSql(tx.dialect, 'webhook_progress', MOVED, ['endpointId'], entries.length),
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

/** Makes the next message of each of these records due, where none is; gives those of which none waits. */
async function releaseNext(
  tx: Transaction,
  { endpointId, released }: EndpointResults,
  now: Instant,
): Promise<readonly string[]> {
  const due = await resourcesDue(tx, endpointId, released)
  const free: string[] = []
  for (const resourceId of released) {
    if (due.has(resourceId)) continue
    const [next] = await tx.rows<{ id: string }>(
      `SELECT \`id\` FROM \`webhook_deliveries\` WHERE \`endpointId\` = ? AND \`status\` = 'pending'
        AND \`nextAttemptAt\` IS NULL AND \`resourceId\` = ? ORDER BY \`position\` LIMIT 1`,
      [endpointId, resourceId],
    )
    if (next)
      await tx.run('UPDATE `webhook_deliveries` SET `nextAttemptAt` = ? WHERE `id` = ?', [now, next.id])
    else free.push(resourceId)
  }
  return free
}

/** Of which of these records a message has its time: the others wait for that one. */
async function resourcesDue(
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

async function disableAll(
  tx: Transaction,
  entries: readonly EndpointResults[],
  at: Instant,
): Promise<ReadonlySet<string>> {
  const disabled = new Set<string>()
  for (const { endpointId, disable: reason, health } of entries) {
    if (reason === null) continue
    const { failingSince } = health
    if (await disableFailingEndpoint(tx, { endpointId, reason, failingSince, at })) disabled.add(endpointId)
  }
  return disabled
}
