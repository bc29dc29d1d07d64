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

export const DEFAULT_SECRET_OVERLAP_SECONDS = 86_400
const MAX_OVERLAP_SECONDS = 7 * 86_400
/** Each message has one signature per secret. */
const MAX_SECRETS = 5
/** After this time all workers sign with the new secret, and messages that they signed before are sent. */
const PROPAGATION_MS = MAX_SETTINGS_AGE_MS + 500
/** Earlier secrets stay valid at least until the receiver can have the new one. */
const MIN_RETENTION_MS = PROPAGATION_MS + 500

interface RotateInput {
  readonly endpointId: string
  /** How long messages are also signed with the earlier secrets. Default: a day. */
  readonly overlapSeconds?: number | null
  /** New secret of the caller. If absent, a new one is generated. */
  readonly secret?: string | null
}

/**
 * Creates a new secret for an endpoint and sets the expiry of the earlier ones. It returns when all workers sign with
 * the new secret. Until then and during the overlap, messages are also signed with the earlier secrets.
 */
export async function rotateSecret(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, overlapSeconds, secret: ownSecret }: RotateInput,
): Promise<EndpointWithSecret> {
  const tenant = requireApplication(caller)
  validateNumber('overlapSeconds', overlapSeconds, 0, MAX_OVERLAP_SECONDS)
  const now = deps.clock.now()
  const end = now + MIN_RETENTION_MS + (overlapSeconds ?? DEFAULT_SECRET_OVERLAP_SECONDS) * 1000
  const rotated = await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, tenant, endpointId)
    const { row, secret } = signingSecret(deps.secrets, endpoint, ownSecret, now)
    await expireEarlier(tx, endpoint, { now, end })
    await tx.insert(tableOf(WebhookSecret), [row])
    const detail = { secretId: row.id, overlapSeconds: overlapSeconds ?? DEFAULT_SECRET_OVERLAP_SECONDS }
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'webhook_endpoint.secret_rotated',
      targetId: endpointId,
      detail,
    })
    return { endpoint, secret }
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  await setTimeout(PROPAGATION_MS)
  return rotated
}

/** Sets the expiry of the earlier secrets. Deletes expired secrets and the oldest ones above the limit. */
async function expireEarlier(
  tx: Transaction,
  { id, applicationId }: WebhookEndpoint,
  { now, end }: { readonly now: Instant; readonly end: Instant },
): Promise<void> {
  const ofEndpoint = '`endpointId` = ? AND `applicationId` = ?'
  await tx.run(
    `UPDATE \`webhook_secrets\` SET \`expiresAt\` = ? WHERE ${ofEndpoint} AND (\`expiresAt\` IS NULL OR \`expiresAt\` > ?)`,
    [end, id, applicationId, end],
  )
  const earlier = await tx.rows<Pick<WebhookSecret, 'id' | 'expiresAt'>>(
    `SELECT \`id\`, \`expiresAt\` FROM \`webhook_secrets\` WHERE ${ofEndpoint} ORDER BY \`createdAt\` DESC, \`id\` DESC`,
    [id, applicationId],
  )
  const removed = earlier.filter(({ expiresAt }, at) => Number(expiresAt) <= now || at >= MAX_SECRETS - 1)
  if (removed.length === 0) return
  await tx.run(
    `DELETE FROM \`webhook_secrets\` WHERE ${ofEndpoint} AND \`id\` IN (${placeholders(removed.length)})`,
    [id, applicationId, ...removed.map((secret) => secret.id)],
  )
}
