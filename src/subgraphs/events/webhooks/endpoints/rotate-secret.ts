import { setTimeout } from 'node:timers/promises'
import type { Caller } from '../../../../auth/caller.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { placeholders } from '../../../../storage/in-order.ts'
import { tableOf } from '../../../../storage/table.ts'
import type { Instant } from '../../../../time.ts'
import { by, remember } from '../../../audit.ts'
import { applicationOf } from '../application-of.ts'
import { OLDEST_SETTINGS_MS } from '../settings-age.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import { WebhookSecret } from '../webhook-secret.ts'
import type { WebhookWritesFrom } from '../writes-from.ts'
import { checkNumber } from './check-input.ts'
import type { EndpointWithSecret } from './create-endpoint.ts'
import { heldEndpoint } from './held-endpoint.ts'
import { signingSecret } from './signing-secret.ts'

export const PRESET_OVERLAP = 86_400
const LONGEST_OVERLAP = 7 * 86_400
/** A message carries a signature of each. */
const MOST_SECRETS = 5
/** After this every worker signs with the new secret, and what it signed before has gone out. */
const KNOWN_AFTER_MS = OLDEST_SETTINGS_MS + 500
/** No earlier secret ends before its receiver can have the new one. */
const LEAST_KEPT_MS = KNOWN_AFTER_MS + 500

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
  from: WebhookWritesFrom,
  caller: Caller,
  { endpointId, overlapSeconds, secret: own }: Rotation,
): Promise<EndpointWithSecret> {
  const tenant = applicationOf(caller)
  checkNumber('overlapSeconds', overlapSeconds, 0, LONGEST_OVERLAP)
  const now = from.clock.now()
  const end = now + LEAST_KEPT_MS + (overlapSeconds ?? PRESET_OVERLAP) * 1000
  const rotated = await from.db.transaction(async (tx) => {
    const endpoint = await heldEndpoint(tx, tenant, endpointId)
    const { row, secret } = signingSecret(from.secrets, endpoint, own, now)
    await endEarlier(tx, endpoint, { now, end })
    await tx.insert(tableOf(WebhookSecret), [row])
    const detail = { secretId: row.id, overlapSeconds: overlapSeconds ?? PRESET_OVERLAP }
    await remember(tx, by(caller, now), {
      action: 'webhook_endpoint.secret_rotated',
      targetId: endpointId,
      detail,
    })
    return { endpoint, secret }
  })
  from.doorbell.ring(WEBHOOKS_TOPIC)
  await setTimeout(KNOWN_AFTER_MS)
  return rotated
}

/** Those that have ended go, and the oldest of those that would be too many. */
async function endEarlier(
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
  const gone = earlier.filter(({ expiresAt }, at) => Number(expiresAt) <= now || at >= MOST_SECRETS - 1)
  if (gone.length === 0) return
  await tx.run(`DELETE FROM \`webhook_secrets\` WHERE ${its} AND \`id\` IN (${placeholders(gone.length)})`, [
    id,
    applicationId,
    ...gone.map((secret) => secret.id),
  ])
}
