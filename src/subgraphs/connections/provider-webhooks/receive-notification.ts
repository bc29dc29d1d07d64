import { HOOK_TOKEN, hashOf } from '../../../auth/keys.ts'
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

/** What becomes of a message: `refused` where it is not the provider's, `unknown` where its address leads nowhere. */
export type NotificationOutcome = 'taken' | 'refused' | 'unknown'

interface NotificationDeps {
  readonly db: Pick<Database, 'rows' | 'transaction'>
  readonly registry: Registry
  readonly secrets: Pick<EnvelopeEncryption, 'open'>
  readonly clock: Clock
}

/** Columns that say when something is due, and when it was done last; and how long to wait at least in between. */
const dueColumns = {
  records: { due: 'syncDueAt', done: 'syncedAt', gapMs: 60_000 },
  positions: { due: 'pollDueAt', done: 'polledAt', gapMs: 5_000 },
} as const satisfies Record<
  NotificationKind,
  { due: keyof ProviderWebhook; done: keyof ProviderWebhook; gapMs: number }
>

/**
 * Takes a message of a provider as a hint: nothing of it is kept or believed but that its connection is to be read. It
 * is read soon, and however many messages there are, no more often than the gaps say.
 */
export async function receiveNotification(
  deps: NotificationDeps,
  token: string,
  message: NotificationMessage,
): Promise<NotificationOutcome> {
  const { db, registry, clock } = deps
  const row = HOOK_TOKEN.test(token) ? await known(db, hashOf(token)) : null
  const notifications = row && registry.find(row.provider)?.notifications
  if (!row || !notifications || hasStatusFlag(row.status, 'isDeleted')) return 'unknown'
  const now = clock.now()
  if (!notifications.isGenuine(message, openWebhookSecret(deps, row), now)) return 'refused'
  const kind = notifications.readNotification(bodyIn(message))
  if (kind !== null && isRead(row)) await markDue(db, row, kind, now)
  return 'taken'
}

type Known = ProviderWebhook & {
  readonly provider: string
  readonly status: string
  readonly syncMode: string
}

const table = tableOf(ProviderWebhook)

async function known(db: NotificationDeps['db'], tokenHash: string): Promise<Known | null> {
  const columns = table.selectedColumns.map((column) => `w.\`${column}\``).join(', ')
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${columns}, c.\`provider\`, c.\`status\`, c.\`syncMode\` FROM \`provider_webhooks\` AS w
      JOIN \`connections\` AS c ON c.\`id\` = w.\`connectionId\` WHERE w.\`tokenHash\` = ?`,
    [tokenHash],
  )
  if (!row) return null
  const { provider, status, syncMode } = row as unknown as Known
  return { ...table.toRow(row), provider, status, syncMode }
}

/** One that is read on request only is not read because its provider would like it. */
const isRead = ({ status, syncMode }: Known): boolean =>
  hasStatusFlag(status, 'allowsProviderCalls') && syncMode === SyncMode.AUTOMATIC

/** What cannot be read hints at nothing. */
function bodyIn({ body }: NotificationMessage): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** What is due already is not so once more: most messages of a flood write nothing. */
async function markDue(
  db: NotificationDeps['db'],
  row: Known,
  kind: NotificationKind,
  now: Instant,
): Promise<void> {
  const { due, done, gapMs } = dueColumns[kind]
  if (row[due] !== null) return
  const dueAt = Math.max(now, Number(row[done] ?? 0) + gapMs)
  await db.transaction((tx) =>
    tx.run(
      `UPDATE \`provider_webhooks\` SET \`${due}\` = ? WHERE \`id\` = ? AND \`applicationId\` = ? AND \`${due}\` IS NULL`,
      [dueAt, row.id, row.applicationId],
    ),
  )
}
