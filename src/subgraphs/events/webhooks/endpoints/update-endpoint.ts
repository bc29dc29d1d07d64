import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../../../auth/caller.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { validateConnections, validateEndpoint, type EndpointInput } from './validate-endpoint.ts'
import { lockEndpoint, lockProgress, saveEndpoint } from './lock-endpoint.ts'

/** Changes of an endpoint. Absent members stay unchanged. */
export interface EndpointChange extends EndpointInput {
  readonly endpointId: string
}

/** Updates an endpoint. Requests in flight are not affected. */
export async function updateEndpoint(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, ...input }: EndpointChange,
): Promise<WebhookEndpoint> {
  const tenant = requireApplication(caller)
  validateEndpoint(input, deps.outgoingRules)
  const now = deps.clock.now()
  const changed = await deps.db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, tenant, endpointId)
    await validateConnections(tx, tenant, input.connectionIds)
    const changes = differing(before, changedColumns(input))
    if (Object.keys(changes).length === 0) return before
    await lockProgress(tx, before, now)
    const detail = { changed: Object.keys(changes) }
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

/** Returns the columns to set. Null clears an optional column, and leaves a required one unchanged. */
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
