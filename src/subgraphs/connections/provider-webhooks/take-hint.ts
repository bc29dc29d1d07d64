import { HOOK_TOKEN, hashOf } from '../../../auth/keys.ts'
import type { SecretBox } from '../../../auth/secret-box.ts'
import type { Hint, HookMessage } from '../../../providers/hints.ts'
import type { Registry } from '../../../providers/registry.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/table.ts'
import type { Clock, Instant } from '../../../time.ts'
import { holds } from '../../connection-states.ts'
import { SyncMode } from '../connection.ts'
import { ProviderWebhook } from './provider-webhook.ts'
import { secretOf } from './webhook-of.ts'

/** What becomes of a message: `refused` where it is not the provider's, `unknown` where its address leads nowhere. */
export type Reception = 'taken' | 'refused' | 'unknown'

interface HintsFrom {
  readonly db: Pick<Database, 'rows' | 'transaction'>
  readonly registry: Registry
  readonly secrets: Pick<SecretBox, 'open'>
  readonly clock: Clock
}

/** Columns that say when something is due, and when it was done last; and how long to wait at least in between. */
const turns = {
  records: { due: 'syncDueAt', done: 'syncedAt', gapMs: 60_000 },
  positions: { due: 'pollDueAt', done: 'polledAt', gapMs: 5_000 },
} as const satisfies Record<Hint, { due: keyof ProviderWebhook; done: keyof ProviderWebhook; gapMs: number }>

/**
 * Takes a message of a provider as a hint: nothing of it is kept or believed but that its connection is to be read. It
 * is read soon, and however many messages there are, no more often than the gaps say.
 */
export async function takeHint(from: HintsFrom, token: string, message: HookMessage): Promise<Reception> {
  const { db, registry, clock } = from
  const row = HOOK_TOKEN.test(token) ? await known(db, hashOf(token)) : null
  const hints = row && registry.find(row.provider)?.hints
  if (!row || !hints || holds(row.status, 'isGone')) return 'unknown'
  const now = clock.now()
  if (!hints.isGenuine(message, secretOf(from, row), now)) return 'refused'
  const hint = hints.hintIn(bodyIn(message))
  if (hint !== null && isRead(row)) await markDue(db, row, hint, now)
  return 'taken'
}

type Known = ProviderWebhook & {
  readonly provider: string
  readonly status: string
  readonly syncMode: string
}

const table = tableOf(ProviderWebhook)

async function known(db: HintsFrom['db'], tokenHash: string): Promise<Known | null> {
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
  holds(status, 'isAsked') && syncMode === SyncMode.AUTOMATIC

/** What cannot be read hints at nothing. */
function bodyIn({ body }: HookMessage): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** What is due already is not so once more: most messages of a flood write nothing. */
async function markDue(db: HintsFrom['db'], row: Known, hint: Hint, now: Instant): Promise<void> {
  const { due, done, gapMs } = turns[hint]
  if (row[due] !== null) return
  const dueAt = Math.max(now, Number(row[done] ?? 0) + gapMs)
  await db.transaction((tx) =>
    tx.run(
      `UPDATE \`provider_webhooks\` SET \`${due}\` = ? WHERE \`id\` = ? AND \`applicationId\` = ? AND \`${due}\` IS NULL`,
      [dueAt, row.id, row.applicationId],
    ),
  )
}
