import { randomUUID } from 'node:crypto'
import type { Id } from '../../domain/ids.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { forUpdate } from '../../storage/sql/dialect.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { latestPosition } from '../../storage/outbox.ts'
import { WebhookProgress } from '../../subgraphs/events/webhooks/webhook-progress.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import { probeAllowedAt, retryAllowedAt } from '../attempts/retry-policy.ts'

/** Duration of a lease: other workers take over the endpoints of a dead worker after this time. */
const LEASE_MS = 15_000

const progress = tableOf(WebhookProgress)

/**
 * Leases of a worker on endpoints. One worker at a time serves an endpoint, and writes only under its lease.
 */
export class EndpointLeases {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    readonly owner: string = randomUUID(),
  ) {}

  /** Leases due endpoints, at most `limit`: those that wait longest, without those that this worker already serves. */
  async acquire(limit: number, served: { has(id: string): boolean }): Promise<WebhookProgress[]> {
    const now = this.clock.now()
    const due = await this.db.rows<{ endpointId: string }>(
      `SELECT \`endpointId\` FROM \`webhook_progress\` WHERE \`wakeAt\` <= ?
        AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` <= ?) ORDER BY \`wakeAt\` LIMIT ${limit}`,
      [now, now],
    )
    const ids = due.map(({ endpointId }) => endpointId).filter((id) => !served.has(id))
    if (ids.length === 0) return []
    ids.sort()
    return this.db.transaction((tx) => this.leaseAll(tx, ids, now))
  }

  private async leaseAll(tx: Transaction, ids: readonly string[], now: Instant): Promise<WebhookProgress[]> {
    const free = await tx.rows<Record<string, unknown>>(
      `SELECT ${progress.selected} FROM \`webhook_progress\` WHERE \`endpointId\` IN (${placeholders(ids.length)})
        AND \`wakeAt\` <= ? AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` <= ?)${forUpdate(tx.dialect)}`,
      [...ids, now, now],
    )
    const taken = free.map(toProgress)
    if (taken.length === 0) return []
    const until = now + LEASE_MS
    await tx.run(
      `UPDATE \`webhook_progress\` SET \`leaseOwner\` = ?, \`leasedUntil\` = ?, \`wakeAt\` = ?, \`awaits\` = NULL
        WHERE \`endpointId\` IN (${placeholders(taken.length)})`,
      [this.owner, until, until, ...taken.map(({ endpointId }) => endpointId)],
    )
    return taken
  }

  /** Whether an endpoint is due and not leased. */
  async hasDueEndpoint(): Promise<boolean> {
    const now = this.clock.now()
    const waiting = await this.db.rows(
      'SELECT 1 FROM `webhook_progress` WHERE `wakeAt` <= ? AND (`leasedUntil` IS NULL OR `leasedUntil` <= ?) LIMIT 1',
      [now, now],
    )
    return waiting.length > 0
  }

  /** Endpoints among these whose latest lease is of this worker, also if it has expired. */
  async stillLeased(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.rows<{ endpointId: string }>(
      `SELECT \`endpointId\` FROM \`webhook_progress\` WHERE \`endpointId\` IN (${placeholders(ids.length)}) AND \`leaseOwner\` = ?`,
      [...ids, this.owner],
    )
    return new Set(rows.map(({ endpointId }) => endpointId))
  }

  /** Endpoints among these that have a due delivery. */
  async withDueDeliveries(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.rows<{ endpointId: string }>(
      `SELECT DISTINCT \`endpointId\` FROM \`webhook_deliveries\` WHERE \`endpointId\` IN (${placeholders(ids.length)})
        AND \`status\` = 'pending' AND \`nextAttemptAt\` <= ?`,
      [...ids, this.clock.now()],
    )
    return new Set(rows.map(({ endpointId }) => endpointId))
  }

  async renew(ids: readonly string[]): Promise<void> {
    const until = this.clock.now() + LEASE_MS
    await this.db.transaction(
      (tx) =>
        tx.run(
          `UPDATE \`webhook_progress\` SET \`leasedUntil\` = ?, \`wakeAt\` = ?
            WHERE \`endpointId\` IN (${placeholders(ids.length)}) AND \`leaseOwner\` = ?`,
          [until, until, ...ids, this.owner],
        ),
      'idempotent',
    )
  }

  /**
   * Releases an endpoint and sets its next wake-up. `position` is the position in the event log up to which its events
   * are delivered. The log can grow between the read of its end and the commit. Then nothing else wakes the endpoint,
   * so the release compares the positions again after the commit.
   */
  async release(endpointId: Id<'webhookEndpoint'>, position: number): Promise<void> {
    const released = await this.db.transaction(async (tx) => {
      const [row] = await tx.rows<Record<string, unknown>>(
        `SELECT ${progress.selected} FROM \`webhook_progress\` WHERE \`endpointId\` = ? AND \`leaseOwner\` = ?${forUpdate(tx.dialect)}`,
        [endpointId, this.owner],
      )
      if (!row) return null
      const current = { ...toProgress(row), position }
      const next = await nextWakeUp(tx, current, this.clock.now())
      await tx.run(
        `UPDATE \`webhook_progress\` SET \`leaseOwner\` = NULL, \`leasedUntil\` = NULL, \`position\` = ?, \`wakeAt\` = ?, \`awaits\` = ?
          WHERE \`endpointId\` = ?`,
        [position, next.wakeAt, next.awaits, endpointId],
      )
      return next
    })
    if (released?.awaits) await wakeWaiting(this.db, [released.awaits], this.clock.now())
  }
}

interface WakeUp {
  readonly wakeAt: Instant | null
  readonly awaits: Id<'application'> | null
}

const NEVER: WakeUp = { wakeAt: null, awaits: null }

async function nextWakeUp(tx: Transaction, current: WebhookProgress, now: Instant): Promise<WakeUp> {
  const { endpointId, applicationId } = current
  const [endpoint] = await tx.rows<{ disabledAt: number | null }>(
    'SELECT `disabledAt` FROM `webhook_endpoints` WHERE `id` = ?',
    [endpointId],
  )
  if (!endpoint || endpoint.disabledAt !== null) return NEVER
  const [due] = await tx.rows<{ first: number | null }>(
    "SELECT MIN(`nextAttemptAt`) AS first FROM `webhook_deliveries` WHERE `endpointId` = ? AND `status` = 'pending'",
    [endpointId],
  )
  const isBehind = (await latestPosition(tx, applicationId)) > current.position
  const wakeTimes = due?.first == null ? [] : [Math.max(Number(due.first), retryAllowedAt(current))]
  if (isBehind) wakeTimes.push(Math.max(now, probeAllowedAt(current)))
  return {
    wakeAt: wakeTimes.length > 0 ? Math.min(...wakeTimes) : null,
    awaits: isBehind ? null : applicationId,
  }
}

/**
 * Makes endpoints due whose event log has grown since they reached its end. Null means those of all applications.
 * Returns the number of endpoints.
 */
export async function wakeWaiting(
  db: Database,
  applicationIds: readonly string[] | null,
  now: Instant,
): Promise<number> {
  const condition =
    applicationIds === null
      ? '`awaits` IS NOT NULL'
      : `\`awaits\` IN (${placeholders(applicationIds.length)})`
  const found = await db.rows<{ endpointId: string }>(
    `SELECT p.\`endpointId\` FROM \`webhook_progress\` AS p JOIN \`log_heads\` AS h ON h.\`applicationId\` = p.\`awaits\`
      WHERE p.${condition} AND p.\`position\` < h.\`position\` ORDER BY p.\`endpointId\``,
    applicationIds ?? [],
  )
  const ids = found.map(({ endpointId }) => endpointId)
  for (let at = 0; at < ids.length; at += BATCH) await wakeEndpoints(db, ids.slice(at, at + BATCH), now)
  return ids.length
}

const BATCH = 500

/** Makes endpoints due now. For a failing endpoint, the worker that leases it checks whether it may try again. */
const wakeEndpoints = (db: Database, ids: readonly string[], now: Instant): Promise<unknown> =>
  db.transaction(
    (tx) =>
      tx.run(
        `UPDATE \`webhook_progress\` SET \`wakeAt\` = ?, \`awaits\` = NULL
          WHERE \`endpointId\` IN (${placeholders(ids.length)}) AND \`awaits\` IS NOT NULL`,
        [now, ...ids],
      ),
    'idempotent',
  )

function toProgress(row: Record<string, unknown>): WebhookProgress {
  const { position, failures, failingSince, lastSuccessAt, lastAttemptAt, ...rest } = progress.toRow(row)
  const instant = (value: Instant | null) => (value === null ? null : Number(value))
  return {
    ...rest,
    position: Number(position),
    failures: Number(failures),
    failingSince: instant(failingSince),
    lastSuccessAt: instant(lastSuccessAt),
    lastAttemptAt: instant(lastAttemptAt),
  }
}
