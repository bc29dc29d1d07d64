import type { Caller } from '../../../../auth/caller.ts'
import { PublicError } from '../../../../errors.ts'
import { newId } from '../../../../ids.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { forUpdate } from '../../../../storage/dialect.ts'
import { tableOf } from '../../../../storage/table.ts'
import type { Tenant } from '../../../../storage/where.ts'
import { headOfLog } from '../../../../storage/outbox.ts'
import type { Instant } from '../../../../time.ts'
import { by, remember } from '../../../audit.ts'
import { applicationOf } from '../application-of.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import { WebhookEndpoint } from '../webhook-endpoint.ts'
import { WebhookProgress } from '../webhook-progress.ts'
import { WebhookSecret } from '../webhook-secret.ts'
import type { WebhookWritesFrom } from '../writes-from.ts'
import { checkConnections, checkWish, type EndpointWish } from './check-input.ts'
import { signingSecret } from './signing-secret.ts'

export interface NewEndpointWish extends EndpointWish {
  readonly url: string
  /** The caller's own; a new one where it is absent. */
  readonly secret?: string | null
}

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint
  /** Shown this once: it is stored sealed. */
  readonly secret: string
}

const MOST_ENDPOINTS = 50

/** Makes an endpoint, to which the events from now on are sent. */
export async function createEndpoint(
  from: WebhookWritesFrom,
  caller: Caller,
  wish: NewEndpointWish,
): Promise<EndpointWithSecret> {
  const tenant = applicationOf(caller)
  checkWish(wish, from.outgoingRules)
  const now = from.clock.now()
  const endpoint = endpointRow(tenant, wish, now)
  const { row, secret } = signingSecret(from.secrets, endpoint, wish.secret, now)
  await from.db.transaction(async (tx) => {
    await refuseTooMany(tx, tenant)
    await checkConnections(tx, tenant, wish.connectionIds)
    await tx.insert(tableOf(WebhookEndpoint), [endpoint])
    await tx.insert(tableOf(WebhookSecret), [row])
    await tx.insert(tableOf(WebhookProgress), [await progressFromNow(tx, endpoint)])
    const detail = { host: new URL(endpoint.url).host, types: endpoint.types }
    await remember(tx, by(caller, now), { action: 'webhook_endpoint.created', targetId: endpoint.id, detail })
  })
  from.doorbell.ring(WEBHOOKS_TOPIC)
  return { endpoint, secret }
}

const endpointRow = ({ applicationId }: Tenant, wish: NewEndpointWish, now: Instant): WebhookEndpoint => ({
  id: newId('webhookEndpoint', now),
  applicationId,
  url: wish.url,
  description: wish.description ?? null,
  types: [...(wish.types ?? ['*'])],
  connectionIds: wish.connectionIds ? [...wish.connectionIds] : null,
  tags: wish.tags ? [...wish.tags] : null,
  ordering: wish.ordering ?? 'none',
  concurrency: wish.concurrency ?? 10,
  ratePerSecond: wish.ratePerSecond ?? null,
  retrySeconds: wish.retrySeconds ? [...wish.retrySeconds] : null,
  disabledAt: null,
  disabledReason: null,
  createdAt: now,
  modifiedAt: now,
})

/** One after another per application: two at the same time would not count each other. */
async function refuseTooMany(tx: Transaction, { applicationId }: Tenant): Promise<void> {
  await tx.rows(`SELECT 1 FROM \`applications\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`, [applicationId])
  const [row] = await tx.rows<{ n: number }>(
    'SELECT COUNT(*) AS n FROM `webhook_endpoints` WHERE `applicationId` = ?',
    [applicationId],
  )
  if (Number(row?.n) < MOST_ENDPOINTS) return
  throw new PublicError(
    'unprocessable_entity',
    `An application may have ${MOST_ENDPOINTS} webhook endpoints.`,
    {
      detail: 'Delete one that is not needed.',
    },
  )
}

/** What is committed later gets a later position. */
async function progressFromNow(
  tx: Transaction,
  { id, applicationId, createdAt }: WebhookEndpoint,
): Promise<WebhookProgress> {
  return {
    endpointId: id,
    applicationId,
    position: await headOfLog(tx, applicationId),
    awaits: null,
    wakeAt: createdAt,
    leaseOwner: null,
    leasedUntil: null,
    failures: 0,
    failingSince: null,
    lastSuccessAt: null,
    lastAttemptAt: null,
  }
}
