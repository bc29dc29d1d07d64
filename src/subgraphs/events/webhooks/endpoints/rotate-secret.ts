import { setTimeout } from 'node:timers/promises'
import type { Caller } from '../../../../auth/caller.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { placeholders } from '../../../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { MAX_SETTINGS_AGE_MS } from '../max-settings-age.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import { WebhookSecret } from '../webhook-secret.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { validateNumber } from './validate-endpoint.ts'
import type { EndpointWithSecret } from './create-endpoint.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import { signingSecret } from './signing-secret.ts'

export const DEFAULT_OVERLAP_SECONDS = 86_400
const MAX_OVERLAP_SECONDS = 7 * 86_400
/** A message carries a signature of each. */
const MAX_SECRETS = 5
/** After this every worker signs with the new secret, and what it signed before has gone out. */
const KNOWN_AFTER_MS = MAX_SETTINGS_AGE_MS + 500
/** No earlier secret ends before its receiver can have the new one. */
const MIN_RETENTION_MS = KNOWN_AFTER_MS + 500

interface Rotation {
  readonly endpointId: string
  /** How long messages are signed with the secrets of before as well; a day unless told. */
  readonly overlapSeconds?: number | null
  /** The caller's own; a new one where it is absent. */
  readonly secret?: string | null
}

/**
 * Gives an endpoint a new secret, and the earlier ones their end. It takes as long as workers need to know of it: once
 * it returns every message is signed with the new secret, and until then, and for the overlap, with the earlier ones.
 */
export async function rotateSecret(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, overlapSeconds, secret: own }: Rotation,
): Promise<EndpointWithSecret> {
  const tenant = requireApplication(caller)
  validateNumber('overlapSeconds', overlapSeconds, 0, MAX_OVERLAP_SECONDS)
  const now = deps.clock.now()
  const end = now + MIN_RETENTION_MS + (overlapSeconds ?? DEFAULT_OVERLAP_SECONDS) * 1000
  const rotated = await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, tenant, endpointId)
    const { row, secret } = signingSecret(deps.secrets, endpoint, own, now)
    await expireEarlier(tx, endpoint, { now, end })
    await tx.insert(tableOf(WebhookSecret), [row])
    const detail = { secretId: row.id, overlapSeconds: overlapSeconds ?? DEFAULT_OVERLAP_SECONDS }
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'webhook_endpoint.secret_rotated',
      targetId: endpointId,
      detail,
    })
    return { endpoint, secret }
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  await setTimeout(KNOWN_AFTER_MS)
  return rotated
}

/** Those that have ended go, and the oldest of those that would be too many. */
async function expireEarlier(
  tx: Transaction,
  { id, applicationId }: WebhookEndpoint,
  { now, end }: { readonly now: Instant; readonly end: Instant },
): Promise<void> {
  const its = '`endpointId` = ? AND `applicationId` = ?'
  await tx.run(
    `UPDATE \`webhook_secrets\` SET \`expiresAt\` = ? WHERE ${its} AND (\`expiresAt\` IS NULL OR \`expiresAt\` > ?)`,
    [end, id, applicationId, end],
  )
  const earlier = await tx.rows<Pick<WebhookSecret, 'id' | 'expiresAt'>>(
    `SELECT \`id\`, \`expiresAt\` FROM \`webhook_secrets\` WHERE ${its} ORDER BY \`createdAt\` DESC, \`id\` DESC`,
    [id, applicationId],
  )
  const gone = earlier.filter(({ expiresAt }, at) => Number(expiresAt) <= now || at >= MAX_SECRETS - 1)
  if (gone.length === 0) return
  await tx.run(`DELETE FROM \`webhook_secrets\` WHERE ${its} AND \`id\` IN (${placeholders(gone.length)})`, [
    id,
    applicationId,
    ...gone.map((secret) => secret.id),
  ])
}
