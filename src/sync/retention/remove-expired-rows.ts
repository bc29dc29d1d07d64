import { firstIdAt, type Kind } from '../../domain/ids.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { and, before, type Where } from '../../storage/sql/where.ts'
import { SIGHTINGS_KEPT_MS } from '../../subgraphs/purchases/learnt-places/sightings.ts'
import { REPLAYS_KEPT_MS } from '../../subgraphs/purchases/replays/purchase-replay.ts'
import { SHORT_LIVED, SHORT_LIVED_MS } from '../../subgraphs/events/event-types.ts'
import type { Instant } from '../../domain/time.ts'
import type { WorkerDeps } from '../sync-context.ts'

type RetentionDeps = Pick<
  WorkerDeps,
  'db' | 'clock' | 'eventRetentionDays' | 'requestLogDays' | 'purchaseRetentionDays'
>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ROWS_PER_BATCH = 500
/**
 * Period in which expired location events are searched. The job runs hourly. Location events that it misses during a
 * longer outage expire later, like other events.
 */
const SHORT_LIVED_LOOKBACK_MS = 6 * HOUR_MS

/**
 * Deletes expired events, deliveries, attempts, logged requests, purchase checks, replays, learnt places of merchants,
 * sessions, link data and idempotency keys, in batches.
 * An event that an enabled endpoint has not received yet stays for up to twice the retention.
 */
export async function removeExpiredRows(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const expiredBefore = now - deps.eventRetentionDays * DAY_MS
  const shortLivedBefore = now - SHORT_LIVED_MS
  const delivered = await deliveredUpTo(deps)
  const oldestUndeliveredId = firstIdAt('event', expiredBefore - deps.eventRetentionDays * DAY_MS)
  const isExpired = ({ id, applicationId, position }: Row): boolean =>
    position !== null &&
    (id < oldestUndeliveredId || Number(position) <= (delivered.get(applicationId) ?? Infinity))
  const expirations: readonly Expiration[] = [
    { table: 'events', where: createdBefore('event', expiredBefore), isExpired },
    { table: 'events', where: shortLivedIn(shortLivedBefore - SHORT_LIVED_LOOKBACK_MS, shortLivedBefore) },
    { table: 'webhook_deliveries', where: and(createdBefore('webhookDelivery', expiredBefore), isEnded) },
    { table: 'webhook_attempts', where: createdBefore('webhookAttempt', expiredBefore) },
    { table: 'request_log', where: createdBefore('loggedRequest', now - deps.requestLogDays * DAY_MS) },
    {
      table: 'purchase_checks',
      where: createdBefore('purchaseCheck', now - deps.purchaseRetentionDays * DAY_MS),
    },
    { table: 'purchase_replays', where: createdBefore('purchaseReplay', now - REPLAYS_KEPT_MS) },
    { table: 'replayed_purchases', where: createdBefore('purchaseReplay', now - REPLAYS_KEPT_MS) },
    { table: 'sighted_merchants', where: and(anyRow, before('modifiedAt', now - SIGHTINGS_KEPT_MS)) },
    { table: 'sessions', where: and(anyRow, before('expiresAt', now - DAY_MS)) },
    { table: 'short_links', where: and(anyRow, before('expiresAt', now - DAY_MS)) },
    { table: 'link_runs', where: and(anyRow, before('expiresAt', now - DAY_MS)) },
    { table: 'idempotency_keys', where: and(anyRow, before('expiresAt', now)) },
  ]
  await purgeExpiredSignIns(deps, now)
  await purgeLinkRateLimits(deps, now)
  for (const expiration of expirations) await deleteExpired(deps, expiration, signal)
}

/** Clears the credentials of expired link runs. */
const purgeExpiredSignIns = ({ db }: RetentionDeps, now: Instant): Promise<number> =>
  db.transaction(
    (tx) =>
      tx.run(
        "UPDATE `link_runs` SET `credentialsSealed` = '', `oauthVerifierSealed` = '' WHERE `expiresAt` <= ? AND (`credentialsSealed` <> '' OR `oauthVerifierSealed` <> '')",
        [now],
      ),
    'idempotent',
  )

/** Deletes the expired rate-limit counters of the link pages. */
const purgeLinkRateLimits = ({ db }: RetentionDeps, now: Instant): Promise<number> =>
  db.transaction((tx) => tx.run('DELETE FROM `link_turns` WHERE `endsAt` <= ?', [now]), 'idempotent')

interface Row {
  readonly id: string
  readonly applicationId: string
  readonly position: number | null
}

interface Expiration {
  readonly table:
    | 'events'
    | 'webhook_deliveries'
    | 'webhook_attempts'
    | 'request_log'
    | 'purchase_checks'
    | 'purchase_replays'
    | 'replayed_purchases'
    | 'sighted_merchants'
    | 'sessions'
    | 'short_links'
    | 'link_runs'
    | 'idempotency_keys'
  readonly where: Where
  /** Selects the rows to delete among those of `where`. By default, all of them are deleted. */
  readonly isExpired?: (row: Row) => boolean
}

const anyRow: Where = { sql: '1 = 1', parameters: [] }
const isEnded: Where = { sql: "`status` <> 'pending'", parameters: [] }

/** Matches rows created before `time`. Ids begin with their creation time, so the primary key serves as index. */
const createdBefore = (kind: Kind, time: Instant): Where => ({
  sql: '`id` < ?',
  parameters: [firstIdAt(kind, time)],
})

const shortLivedIn = (from: Instant, to: Instant): Where => ({
  sql: '`id` >= ? AND `id` < ? AND `type` = ? AND `position` IS NOT NULL',
  parameters: [firstIdAt('event', from), firstIdAt('event', to), SHORT_LIVED],
})

/** Deletes the expired rows of a table in batches, in the order of their ids. */
async function deleteExpired(
  { db }: RetentionDeps,
  { table, where, isExpired = () => true }: Expiration,
  signal: AbortSignal,
) {
  for (let after: string | undefined = ''; after !== undefined;) {
    signal.throwIfAborted()
    const position = table === 'events' ? '`position`' : 'NULL AS `position`'
    const rows: Row[] = await db.rows<Row>(
      `SELECT \`id\`, \`applicationId\`, ${position} FROM \`${table}\` WHERE \`id\` > ? AND ${where.sql}
        ORDER BY \`id\` LIMIT ${ROWS_PER_BATCH}`,
      [after, ...where.parameters],
    )
    const ids = rows.filter(isExpired).map(({ id }) => id)
    if (ids.length > 0)
      await db.transaction(
        (tx) => tx.run(`DELETE FROM \`${table}\` WHERE \`id\` IN (${placeholders(ids.length)})`, ids),
        'idempotent',
      )
    after = rows.length === ROWS_PER_BATCH ? rows.at(-1)?.id : undefined
  }
}

/** Returns, for each application, the log position up to which every enabled endpoint has received all events. */
async function deliveredUpTo({ db }: RetentionDeps): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ applicationId: string; position: number | null }>(
    `SELECT p.applicationId, MIN(p.position) AS position FROM webhook_progress AS p
        JOIN webhook_endpoints AS e ON e.id = p.endpointId WHERE e.disabledAt IS NULL GROUP BY p.applicationId
      UNION ALL SELECT d.applicationId, MIN(d.position) - 1 AS position FROM webhook_endpoints AS e
        JOIN webhook_deliveries AS d ON d.endpointId = e.id AND d.status = 'pending'
        WHERE e.disabledAt IS NULL GROUP BY d.applicationId`,
  )
  const delivered = new Map<string, number>()
  for (const { applicationId, position } of rows)
    if (position !== null)
      delivered.set(applicationId, Math.min(Number(position), delivered.get(applicationId) ?? Infinity))
  return delivered
}
