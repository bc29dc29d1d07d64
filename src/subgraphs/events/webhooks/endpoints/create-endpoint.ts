import type { Caller } from '../../../../auth/caller.ts'
import { newId } from '../../../../domain/ids.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Tenant } from '../../../../storage/sql/where.ts'
import { latestPosition } from '../../../../storage/outbox.ts'
import type { Instant } from '../../../../domain/time.ts'
import { requireQuota } from '../../../tables/application-quotas.ts'
import { lockApplicationRow } from '../../../tables/lock-application-row.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import { WebhookEndpoint } from '../webhook-endpoint.ts'
import { sealHeaders } from '../webhook-header.ts'
import { WebhookProgress } from '../webhook-progress.ts'
import { WebhookSecret } from '../webhook-secret.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { headersAfter } from './endpoint-headers.ts'
import { signingSecret } from './signing-secret.ts'
import { splitCredentials } from './url-credentials.ts'
import { validateConnections, validateEndpoint, type EndpointInput } from './validate-endpoint.ts'

export interface NewEndpointInput extends EndpointInput {
  readonly url: string
  /** Signing secret of the caller. If absent, a new one is generated. */
  readonly secret?: string | null
}

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint
  /** Secret in plain text. The database has only its encrypted form, and no query returns it. */
  readonly secret: string
}

/**
 * Creates an endpoint. It receives the events that commit after its creation, and committed events that have no position
 * in the log yet.
 */
export async function createEndpoint(
  deps: WebhookCommandDeps,
  caller: Caller,
  input: NewEndpointInput,
): Promise<EndpointWithSecret> {
  const tenant = requireApplication(caller)
  const { url, authorization } = splitCredentials(input.url)
  validateEndpoint({ ...input, url }, deps.outgoingRules)
  const headers = headersAfter([], { headers: input.headers, authorization })
  const now = deps.clock.now()
  const row = endpointRow(tenant, { ...input, url }, now)
  const endpoint = { ...row, headersSealed: sealHeaders(deps.secrets, row, headers) }
  const { row: secretRow, secret } = signingSecret(deps.secrets, endpoint, input.secret, now)
  await deps.db.transaction(async (tx) => {
    await requireEndpointQuota(tx, tenant)
    await validateConnections(tx, tenant, input.connectionIds)
    await tx.insert(tableOf(WebhookEndpoint), [endpoint])
    await tx.insert(tableOf(WebhookSecret), [secretRow])
    await tx.insert(tableOf(WebhookProgress), [await progressFromNow(tx, endpoint)])
    const detail = { host: new URL(endpoint.url).host, types: endpoint.types }
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'webhook_endpoint.created',
      targetId: endpoint.id,
      detail,
    })
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  return { endpoint, secret }
}

const endpointRow = (
  { applicationId }: Tenant,
  input: NewEndpointInput,
  now: Instant,
): Omit<WebhookEndpoint, 'headersSealed'> => ({
  id: newId('webhookEndpoint', now),
  applicationId,
  url: input.url,
  description: input.description ?? null,
  types: [...(input.types ?? ['*'])],
  connectionIds: input.connectionIds ? [...input.connectionIds] : null,
  tags: input.tags ? [...input.tags] : null,
  ordering: input.ordering ?? 'none',
  concurrency: input.concurrency ?? 10,
  ratePerSecond: input.ratePerSecond ?? null,
  retrySeconds: input.retrySeconds ? [...input.retrySeconds] : null,
  disabledAt: null,
  disabledReason: null,
  createdAt: now,
  modifiedAt: now,
})

/** Checks the quota of the application. It locks the application, so that concurrent calls cannot exceed the quota. */
async function requireEndpointQuota(tx: Transaction, { applicationId }: Tenant): Promise<void> {
  await lockApplicationRow(tx, applicationId)
  await requireQuota(tx, applicationId, 'webhookEndpoints')
}

/** Returns progress at the current end of the log. Events without a position get a higher one. */
async function progressFromNow(
  tx: Transaction,
  { id, applicationId, createdAt }: WebhookEndpoint,
): Promise<WebhookProgress> {
  return {
    endpointId: id,
    applicationId,
    position: await latestPosition(tx, applicationId),
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
