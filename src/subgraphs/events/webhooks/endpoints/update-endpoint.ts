import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../../../auth/caller.ts'
import type { EnvelopeEncryption } from '../../../../auth/envelope-encryption.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import { openHeaders, sealHeaders } from '../webhook-header.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { type HeaderChange, headersAfter } from './endpoint-headers.ts'
import { lockEndpoint, lockProgress, saveEndpoint } from './lock-endpoint.ts'
import { splitCredentials } from './url-credentials.ts'
import { validateConnections, validateEndpoint, type EndpointInput } from './validate-endpoint.ts'

/** Changes of an endpoint. Absent members stay unchanged. */
export interface EndpointChange extends EndpointInput {
  readonly endpointId: string
}

/** Updates an endpoint. Requests in flight are not affected. */
export async function updateEndpoint(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, ...change }: EndpointChange,
): Promise<WebhookEndpoint> {
  const tenant = requireApplication(caller)
  const { authorization, ...target } = change.url == null ? NO_CREDENTIALS : splitCredentials(change.url)
  const input = { ...change, ...target }
  validateEndpoint(input, deps.outgoingRules)
  const now = deps.clock.now()
  const changed = await deps.db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, tenant, endpointId)
    await validateConnections(tx, tenant, input.connectionIds)
    const changes = {
      ...differing(before, changedColumns(input)),
      ...changedHeaders(deps.secrets, before, { headers: input.headers, authorization }),
    }
    if (Object.keys(changes).length === 0) return before
    await lockProgress(tx, before, now)
    const detail = { changed: Object.keys(changes).map((column) => INPUT_BY_COLUMN[column] ?? column) }
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'webhook_endpoint.updated',
      targetId: endpointId,
      detail,
    })
    return saveEndpoint(tx, before, { ...changes, modifiedAt: now })
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  return changed
}

const NO_CREDENTIALS = { authorization: null }

/** Members of the input whose columns have another name. */
const INPUT_BY_COLUMN: Readonly<Record<string, string>> = { headersSealed: 'headers' }

/** Returns the column of the headers if they change. The same headers encrypt to another value each time. */
function changedHeaders(
  secrets: EnvelopeEncryption,
  endpoint: WebhookEndpoint,
  change: HeaderChange,
): Partial<WebhookEndpoint> {
  if (change.headers === undefined && change.authorization === null) return {}
  const before = openHeaders(secrets, endpoint)
  const after = headersAfter(before, change)
  return isDeepStrictEqual(before, after) ? {} : { headersSealed: sealHeaders(secrets, endpoint, after) }
}

/** Returns the other columns to set. Null clears an optional column, and leaves a required one unchanged. */
function changedColumns(input: EndpointInput): Partial<WebhookEndpoint> {
  const { url, types, ordering, concurrency } = input
  const { description, connectionIds, tags, ratePerSecond, retrySeconds } = input
  return {
    ...(url == null ? {} : { url }),
    ...(types == null ? {} : { types: [...types] }),
    ...(ordering == null ? {} : { ordering }),
    ...(concurrency == null ? {} : { concurrency }),
    ...(description === undefined ? {} : { description }),
    ...(connectionIds === undefined ? {} : { connectionIds: connectionIds && [...connectionIds] }),
    ...(tags === undefined ? {} : { tags: tags && [...tags] }),
    ...(ratePerSecond === undefined ? {} : { ratePerSecond }),
    ...(retrySeconds === undefined ? {} : { retrySeconds: retrySeconds && [...retrySeconds] }),
  }
}

const differing = (before: WebhookEndpoint, requested: Partial<WebhookEndpoint>): Partial<WebhookEndpoint> =>
  Object.fromEntries(
    Object.entries(requested).filter(
      ([column, value]) => !isDeepStrictEqual(before[column as keyof WebhookEndpoint], value),
    ),
  )
