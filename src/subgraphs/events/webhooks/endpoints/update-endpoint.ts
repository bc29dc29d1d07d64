import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../../../auth/caller.ts'
import { by, remember } from '../../../audit.ts'
import { applicationOf } from '../application-of.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookWritesFrom } from '../writes-from.ts'
import { checkConnections, checkWish, type EndpointWish } from './check-input.ts'
import { heldEndpoint, heldProgress, saveEndpoint } from './held-endpoint.ts'

/** What of an endpoint is to change; what is absent stays. */
export interface EndpointChange extends EndpointWish {
  readonly endpointId: string
}

/** Changes an endpoint. What is under way to it arrives as it was; what follows heeds the change. */
export async function updateEndpoint(
  from: WebhookWritesFrom,
  caller: Caller,
  { endpointId, ...wish }: EndpointChange,
): Promise<WebhookEndpoint> {
  const tenant = applicationOf(caller)
  checkWish(wish, from.outgoingRules)
  const now = from.clock.now()
  const changed = await from.db.transaction(async (tx) => {
    const before = await heldEndpoint(tx, tenant, endpointId)
    await checkConnections(tx, tenant, wish.connectionIds)
    const changes = differing(before, wishedColumns(wish))
    if (Object.keys(changes).length === 0) return before
    await heldProgress(tx, before, now)
    const detail = { changed: Object.keys(changes) }
    await remember(tx, by(caller, now), { action: 'webhook_endpoint.updated', targetId: endpointId, detail })
    return saveEndpoint(tx, before, { ...changes, modifiedAt: now })
  })
  from.doorbell.ring(WEBHOOKS_TOPIC)
  return changed
}

/** Null takes away what an endpoint may be without; of the others it is no wish. */
function wishedColumns(wish: EndpointWish): Partial<WebhookEndpoint> {
  const { url, types, ordering, concurrency } = wish
  const { description, connectionIds, tags, ratePerSecond, retrySeconds } = wish
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

const differing = (before: WebhookEndpoint, wished: Partial<WebhookEndpoint>): Partial<WebhookEndpoint> =>
  Object.fromEntries(
    Object.entries(wished).filter(
      ([column, value]) => !isDeepStrictEqual(before[column as keyof WebhookEndpoint], value),
    ),
  )
