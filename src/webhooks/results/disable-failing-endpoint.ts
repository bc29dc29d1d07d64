import type { Id } from '../../domain/ids.ts'
import type { Transaction } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { markDisabled } from '../../subgraphs/events/webhooks/endpoints/disable-endpoint.ts'
import { type DisabledReason, WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Instant } from '../../domain/time.ts'

const endpoints = tableOf(WebhookEndpoint)

const MIN_FAILED = 10
const MIN_SPREAD_MS = 86_400_000

export interface DisableRequest {
  readonly endpointId: Id<'webhookEndpoint'>
  readonly reason: DisabledReason
  readonly failingSince: Instant | null
  readonly at: Instant
}

/** Disables an endpoint if the reason is confirmed, and appends an event. Returns whether it was disabled. */
export async function disableFailingEndpoint(tx: Transaction, request: DisableRequest): Promise<boolean> {
  const { endpointId, reason, at } = request
  if (reason === 'failing' && !(await hasFailedLongEnough(tx, request))) return false
  const [raw] = await tx.rows<Record<string, unknown>>(
    `SELECT ${endpoints.selected} FROM \`webhook_endpoints\` WHERE \`id\` = ? AND \`disabledAt\` IS NULL`,
    [endpointId],
  )
  if (!raw) return false
  return (await markDisabled(tx, endpoints.toRow(raw), reason, at)) !== null
}

/**
 * Whether at least 10 messages failed over at least a day since `failingSince`, the first failure after the
 * last success.
 */
async function hasFailedLongEnough(
  tx: Transaction,
  { endpointId, failingSince }: DisableRequest,
): Promise<boolean> {
  const [failed] = await tx.rows<{ messages: number; first: number | null; last: number | null }>(
    `SELECT COUNT(*) AS messages, MIN(\`createdAt\`) AS first, MAX(\`lastAttemptAt\`) AS last FROM \`webhook_deliveries\`
      WHERE \`endpointId\` = ? AND \`status\` IN ('pending', 'failed') AND \`lastAttemptAt\` >= ?`,
    [endpointId, failingSince],
  )
  if (!failed || Number(failed.messages) < MIN_FAILED) return false
  return Number(failed.last) - Number(failed.first) >= MIN_SPREAD_MS
}
