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

/** A worker that dies gives its endpoints up this long afterwards. */
const LEASE_MS = 15_000

const progress = tableOf(WebhookProgress)

/** A worker's holds on endpoints. One worker at a time serves an endpoint, and writes for it only while it has it. */
export class EndpointLeases {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    readonly owner: string = randomUUID(),
  ) {}

  /** Takes endpoints of which something is due, those that wait longest first, and none that is held already. */
  async take(most: number, held: { has(id: string): boolean }): Promise<WebhookProgress[]> {
    const now = this.clock.now()
    const due = await this.db.rows<{ endpointId: string }>(
      `SELECT \`endpointId\` FROM \`webhook_progress\` WHERE \`wakeAt\` <= ?
        AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` <= ?) ORDER BY \`wakeAt\` LIMIT ${most}`,
      [now, now],
    )
    const ids = due.map(({ endpointId }) => endpointId).filter((id) => !held.has(id))
    if (ids.length === 0) return []
    ids.sort()
    return this.db.transaction((tx) => this.takeThese(tx, ids, now))
  }

  private async takeThese(tx: Transaction, ids: readonly string[], now: Instant): Promise<WebhookProgress[]> {
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

  /** Whether any endpoint waits to be taken. */
  async someWait(): Promise<boolean> {
    const now = this.clock.now()
    const waiting = await this.db.rows(
      'SELECT 1 FROM `webhook_progress` WHERE `wakeAt` <= ? AND (`leasedUntil` IS NULL OR `leasedUntil` <= ?) LIMIT 1',
      [now, now],
    )
    return waiting.length > 0
  }

  /** Which of these are still this worker's. */
  async held(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.rows<{ endpointId: string }>(
      `SELECT \`endpointId\` FROM \`webhook_progress\` WHERE \`endpointId\` IN (${placeholders(ids.length)}) AND \`leaseOwner\` = ?`,
      [...ids, this.owner],
    )
    return new Set(rows.map(({ endpointId }) => endpointId))
  }

  /** Which of these have a message whose time has come. */
  async withDue(ids: readonly string[]): Promise<ReadonlySet<string>> {
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
      'repeatable',
    )
  }

  /**
   * Gives an endpoint up, delivered as far as `position`, with what wakes it next. The log may have grown meanwhile
   * without whoever wakes having seen that it waits: it is looked at once more afterwards.
   */
  async release(endpointId: Id<'webhookEndpoint'>, position: number): Promise<void> {
    const released = await this.db.transaction(async (tx) => {
      const [row] = await tx.rows<Record<string, unknown>>(
        `SELECT ${progress.selected} FROM \`webhook_progress\` WHERE \`endpointId\` = ? AND \`leaseOwner\` = ?${forUpdate(tx.dialect)}`,
        [endpointId, this.owner],
      )
      if (!row) return null
      const mine = { ...toProgress(row), position }
      const next = await nextLook(tx, mine, this.clock.now())
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

interface NextLook {
  readonly wakeAt: Instant | null
  readonly awaits: Id<'application'> | null
}

const NEVER: NextLook = { wakeAt: null, awaits: null }

async function nextLook(tx: Transaction, mine: WebhookProgress, now: Instant): Promise<NextLook> {
  const { endpointId, applicationId } = mine
  const [endpoint] = await tx.rows<{ disabledAt: number | null }>(
    'SELECT `disabledAt` FROM `webhook_endpoints` WHERE `id` = ?',
    [endpointId],
  )
  if (!endpoint || endpoint.disabledAt !== null) return NEVER
  const [due] = await tx.rows<{ first: number | null }>(
    "SELECT MIN(`nextAttemptAt`) AS first FROM `webhook_deliveries` WHERE `endpointId` = ? AND `status` = 'pending'",
    [endpointId],
  )
  const behind = (await latestPosition(tx, applicationId)) > mine.position
  const looks = due?.first == null ? [] : [Math.max(Number(due.first), retryAllowedAt(mine))]
  if (behind) looks.push(Math.max(now, probeAllowedAt(mine)))
  return { wakeAt: looks.length > 0 ? Math.min(...looks) : null, awaits: behind ? null : applicationId }
}

/** Has the endpoints looked at that wait for logs which have grown: of these applications, or of all. */
export async function wakeWaiting(
  db: Database,
  applicationIds: readonly string[] | null,
  now: Instant,
): Promise<number> {
  const whose =
    applicationIds === null
      ? '`awaits` IS NOT NULL'
      : `\`awaits\` IN (${placeholders(applicationIds.length)})`
  const found = await db.rows<{ endpointId: string }>(
    `SELECT p.\`endpointId\` FROM \`webhook_progress\` AS p JOIN \`log_heads\` AS h ON h.\`applicationId\` = p.\`awaits\`
      WHERE p.${whose} AND p.\`position\` < h.\`position\` ORDER BY p.\`endpointId\``,
    applicationIds ?? [],
  )
  const ids = found.map(({ endpointId }) => endpointId)
  for (let at = 0; at < ids.length; at += AT_ONCE) await wakeThese(db, ids.slice(at, at + AT_ONCE), now)
  return ids.length
}

const AT_ONCE = 500

/** One that fails is looked at no sooner than a probe of it may be sent: who takes it sees to that. */
const wakeThese = (db: Database, ids: readonly string[], now: Instant): Promise<unknown> =>
  db.transaction(
    (tx) =>
      tx.run(
        `UPDATE \`webhook_progress\` SET \`wakeAt\` = ?, \`awaits\` = NULL
          WHERE \`endpointId\` IN (${placeholders(ids.length)}) AND \`awaits\` IS NOT NULL`,
        [now, ...ids],
      ),
    'repeatable',
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
