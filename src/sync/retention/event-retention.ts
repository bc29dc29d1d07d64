import { firstIdAt, type Kind } from '../../domain/ids.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { and, before, type Where } from '../../storage/sql/where.ts'
import { SHORT_LIVED, SHORT_LIVED_MS } from '../../subgraphs/events/event-types.ts'
import type { Instant } from '../../domain/time.ts'
import type { WorkerDeps } from '../sync-context.ts'

type RetentionDeps = Pick<WorkerDeps, 'db' | 'clock' | 'eventRetentionDays'>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ROWS_PER_BATCH = 500
/** It is looked for positions that are old once an hour; what longer outages leave goes with the other events. */
const SHORT_LIVED_LOOKED_BACK_MS = 6 * HOUR_MS

/**
 * Removes what the log and its deliveries have kept for long enough, in batches. An event that an endpoint has still
 * to get stays, for as long again at most.
 */
export async function removeOldEvents(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const from = now - deps.eventRetentionDays * DAY_MS
  const shortFrom = now - SHORT_LIVED_MS
  const delivered = await deliveredUpTo(deps)
  const last = firstIdAt('event', from - deps.eventRetentionDays * DAY_MS)
  const isOver = ({ id, applicationId, position }: Row): boolean =>
    position !== null && (id < last || Number(position) <= (delivered.get(applicationId) ?? Infinity))
  const older: readonly Old[] = [
    { table: 'events', where: beganBefore('event', from), isOver },
    { table: 'events', where: shortLivedIn(shortFrom - SHORT_LIVED_LOOKED_BACK_MS, shortFrom) },
    { table: 'webhook_deliveries', where: and(beganBefore('webhookDelivery', from), ended) },
    { table: 'webhook_attempts', where: beganBefore('webhookAttempt', from) },
    { table: 'sessions', where: and(all, before('expiresAt', now - DAY_MS)) },
    { table: 'short_links', where: and(all, before('expiresAt', now - DAY_MS)) },
    { table: 'link_runs', where: and(all, before('expiresAt', now - DAY_MS)) },
  ]
  await purgeExpiredSignIns(deps, now)
  await purgeLinkRateLimits(deps, now)
  for (const old of older) await removeAll(deps, old, signal)
}

/** What fleets have signed in with whose link runs have expired before anything came of them. */
const purgeExpiredSignIns = ({ db }: RetentionDeps, now: Instant): Promise<number> =>
  db.transaction(
    (tx) =>
      tx.run(
        "UPDATE `link_runs` SET `credentialsSealed` = '', `oauthVerifierSealed` = '' WHERE `expiresAt` <= ? AND (`credentialsSealed` <> '' OR `oauthVerifierSealed` <> '')",
        [now],
      ),
    'repeatable',
  )

/** How often fleets came to the link pages, where that counts no longer. */
const purgeLinkRateLimits = ({ db }: RetentionDeps, now: Instant): Promise<number> =>
  db.transaction((tx) => tx.run('DELETE FROM `link_turns` WHERE `endsAt` <= ?', [now]), 'repeatable')

interface Row {
  readonly id: string
  readonly applicationId: string
  readonly position: number | null
}

interface Old {
  readonly table:
    'events' | 'webhook_deliveries' | 'webhook_attempts' | 'sessions' | 'short_links' | 'link_runs'
  readonly where: Where
  /** Which of the rows go; all of them where it is absent. */
  readonly isOver?: (row: Row) => boolean
}

const all: Where = { sql: '1 = 1', parameters: [] }
const ended: Where = { sql: "`status` <> 'pending'", parameters: [] }

/** Ids begin with their time, so there is an index of what is old. */
const beganBefore = (kind: Kind, at: Instant): Where => ({
  sql: '`id` < ?',
  parameters: [firstIdAt(kind, at)],
})

const shortLivedIn = (from: Instant, to: Instant): Where => ({
  sql: '`id` >= ? AND `id` < ? AND `type` = ? AND `position` IS NOT NULL',
  parameters: [firstIdAt('event', from), firstIdAt('event', to), SHORT_LIVED],
})

/** In the order of the ids, so many at a time. */
async function removeAll(
  { db }: RetentionDeps,
  { table, where, isOver = () => true }: Old,
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
    const ids = rows.filter(isOver).map(({ id }) => id)
    if (ids.length > 0)
      await db.transaction(
        (tx) => tx.run(`DELETE FROM \`${table}\` WHERE \`id\` IN (${placeholders(ids.length)})`, ids),
        'repeatable',
      )
    after = rows.length === ROWS_PER_BATCH ? rows.at(-1)?.id : undefined
  }
}

/** Of each application the position up to which every endpoint that is not disabled has got the log. */
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
