import { HOOK_TOKEN, hashKey } from '../../../auth/keys.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { NotificationKind, NotificationMessage } from '../../../providers/webhook-notifications.ts'
import type { Registry } from '../../../providers/registry.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Clock, Instant } from '../../../domain/time.ts'
import { hasStatusFlag } from '../../tables/connection-states.ts'
import { SyncMode } from '../connection.ts'
import { ProviderWebhook } from './provider-webhook.ts'
import { openWebhookSecret } from './find-provider-webhook.ts'

/**
 * Outcome of a message. `taken`: the message is genuine, but may need no read. `refused`: the message is not from the
 * provider. `unknown`: no connection with provider webhooks has the token.
 */
export type NotificationOutcome = 'taken' | 'refused' | 'unknown'

interface NotificationDeps {
  readonly db: Pick<Database, 'rows' | 'transaction'>
  readonly registry: Registry
  readonly secrets: Pick<EnvelopeEncryption, 'open'>
  readonly clock: Clock
}

/** By kind of data: the columns for the due time and the last read, and the minimum interval between reads. */
const schedules = {
  records: { due: 'syncDueAt', done: 'syncedAt', minIntervalMs: 60_000 },
  positions: { due: 'pollDueAt', done: 'polledAt', minIntervalMs: 5_000 },
} as const satisfies Record<
  NotificationKind,
  { due: keyof ProviderWebhook; done: keyof ProviderWebhook; minIntervalMs: number }
>

/**
 * Processes a message of a provider as a hint to read its connection: its content is not stored or trusted.
 * The connection is read soon, and at most once per `minIntervalMs`, however many messages arrive.
 */
export async function receiveNotification(
  deps: NotificationDeps,
  token: string,
  message: NotificationMessage,
): Promise<NotificationOutcome> {
  const { db, registry, clock } = deps
  const row = HOOK_TOKEN.test(token) ? await findByTokenHash(db, hashKey(token)) : null
  const notifications = row && registry.find(row.provider)?.notifications
  if (!row || !notifications || hasStatusFlag(row.status, 'isDeleted')) return 'unknown'
  const now = clock.now()
  if (!notifications.isGenuine(message, openWebhookSecret(deps, row), now)) return 'refused'
  const kind = notifications.readNotification(parseBody(message))
  if (kind !== null && isReadAutomatically(row)) await markDue(db, row, kind, now)
  return 'taken'
}

type WebhookWithConnection = ProviderWebhook & {
  readonly provider: string
  readonly status: string
  readonly syncMode: string
}

const table = tableOf(ProviderWebhook)

async function findByTokenHash(
  db: NotificationDeps['db'],
  tokenHash: string,
): Promise<WebhookWithConnection | null> {
  const columns = table.selectedColumns.map((column) => `w.\`${column}\``).join(', ')
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${columns}, c.\`provider\`, c.\`status\`, c.\`syncMode\` FROM \`provider_webhooks\` AS w
      JOIN \`connections\` AS c ON c.\`id\` = w.\`connectionId\` WHERE w.\`tokenHash\` = ?`,
    [tokenHash],
  )
  if (!row) return null
  const { provider, status, syncMode } = row as unknown as WebhookWithConnection
  return { ...table.toRow(row), provider, status, syncMode }
}

/** A connection with manual sync is read only on request, so its messages have no effect. */
const isReadAutomatically = ({ status, syncMode }: WebhookWithConnection): boolean =>
  hasStatusFlag(status, 'allowsProviderCalls') && syncMode === SyncMode.AUTOMATIC

/** Returns the parsed body; an empty object if it is not a JSON object or list. */
function parseBody({ body }: NotificationMessage): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/**
 * Sets the due time of a read. Writes nothing if a read is due already, so a flood of messages causes few writes.
 */
async function markDue(
  db: NotificationDeps['db'],
  row: WebhookWithConnection,
  kind: NotificationKind,
  now: Instant,
): Promise<void> {
  const { due, done, minIntervalMs } = schedules[kind]
  if (row[due] !== null) return
  const dueAt = Math.max(now, Number(row[done] ?? 0) + minIntervalMs)
  await db.transaction((tx) =>
    tx.run(
      `UPDATE \`provider_webhooks\` SET \`${due}\` = ? WHERE \`id\` = ? AND \`applicationId\` = ? AND \`${due}\` IS NULL`,
      [dueAt, row.id, row.applicationId],
    ),
  )
}
