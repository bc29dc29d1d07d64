import { type Caller, keyHolder } from '../../auth/caller.ts'
import { linkAddress } from '../../link-address.ts'
import { webhookRules } from '../../outgoing/check-url.ts'
import { createEndpoint } from '../../subgraphs/events/webhooks/endpoints/create-endpoint.ts'
import { deleteEndpoint } from '../../subgraphs/events/webhooks/endpoints/delete-endpoint.ts'
import { disableEndpoint } from '../../subgraphs/events/webhooks/endpoints/disable-endpoint.ts'
import { enableEndpoint } from '../../subgraphs/events/webhooks/endpoints/enable-endpoint.ts'
import { rotateSecret } from '../../subgraphs/events/webhooks/endpoints/rotate-secret.ts'
import { webhookReads } from '../../subgraphs/events/webhooks/reads.ts'
import type { Ordering, WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { WebhookWritesFrom } from '../../subgraphs/events/webhooks/writes-from.ts'
import { type Instant, toIso } from '../../time.ts'
import type { Cells } from '../output.ts'
import { Refused } from '../refused.ts'
import type { Tools } from '../tools.ts'
import { applicationOf } from './applications.ts'

export interface Whose {
  readonly application: string
}

/** Who the verbs act for, and what they work with. */
export async function acting(
  tools: Tools,
  { application }: Whose,
): Promise<readonly [WebhookWritesFrom, Caller]> {
  const { db, clock, config } = tools
  const { id } = await applicationOf({ db }, application)
  const [secrets, doorbell] = [await tools.secrets(), await tools.doorbell()]
  return [{ db, clock, secrets, doorbell, outgoingRules: webhookRules(config) }, keyHolder(id)]
}

export async function readsOf(tools: Tools, { application }: Whose) {
  const { db, config } = tools
  const { id } = await applicationOf({ db }, application)
  const from = { db, cursorKey: [], secrets: await tools.secrets(), linkUrl: () => linkAddress(config) ?? '' }
  return webhookReads(from, keyHolder(id))
}

const MOST = 1000

export async function list(tools: Tools, whose: Whose): Promise<void> {
  const reads = await readsOf(tools, whose)
  const { rows } = await reads.endpoints({ first: MOST })
  tools.output.list(rows.map(cells))
}

export async function show(tools: Tools, whose: Whose, endpointId: string): Promise<void> {
  const reads = await readsOf(tools, whose)
  const endpoint = await reads.endpoint(endpointId)
  if (!endpoint) throw new Refused(`there is no webhook endpoint ${endpointId} of ${whose.application}`)
  const [progress, pending, head, secrets] = await Promise.all([
    reads.progress.load(endpointId),
    reads.pending.load(endpointId),
    reads.head(),
    reads.secrets.load(endpointId),
  ])
  tools.output.one({
    ...cells(endpoint),
    connections: endpoint.connectionIds,
    tags: endpoint.tags,
    ordering: endpoint.ordering,
    concurrency: endpoint.concurrency,
    ratePerSecond: endpoint.ratePerSecond,
    retrySeconds: endpoint.retrySeconds,
    backlog: Math.max(0, head - (progress?.position ?? head)),
    pending,
    lastSuccessAt: iso(progress?.lastSuccessAt),
    failingSince: iso(progress?.failingSince),
    secrets: secrets.map(({ id, createdAt, expiresAt }) => ({
      id,
      createdAt: toIso(createdAt),
      expiresAt: iso(expiresAt),
    })),
  })
}

interface Wish extends Whose {
  readonly url: string
  readonly types?: readonly string[]
  readonly connections?: readonly string[]
  readonly tags?: readonly string[]
  readonly description?: string
  readonly ordering?: Ordering
  readonly concurrency?: number
  readonly rate?: number
}

export async function create(tools: Tools, { connections, rate, ...wish }: Wish): Promise<void> {
  const { url, types, tags, description, ordering, concurrency } = wish
  const asked = { url, types, tags, description, ordering, concurrency }
  const more = { connectionIds: connections ?? null, ratePerSecond: rate ?? null }
  const { endpoint, secret } = await createEndpoint(...(await acting(tools, wish)), { ...asked, ...more })
  tools.output.one({ ...cells(endpoint), secret })
  tools.output.say(SHOWN_ONCE)
}

const SHOWN_ONCE = 'The secret is shown this once: keep it now.'

export async function disable(tools: Tools, whose: Whose, endpointId: string): Promise<void> {
  tools.output.one(cells(await disableEndpoint(...(await acting(tools, whose)), { endpointId })))
}

export async function enable(
  tools: Tools,
  { skipMissed = false, ...whose }: Whose & { readonly skipMissed?: boolean },
  endpointId: string,
): Promise<void> {
  const enabled = await enableEndpoint(...(await acting(tools, whose)), { endpointId, skipMissed })
  tools.output.one(cells(enabled))
}

export async function rotate(
  tools: Tools,
  { overlap, ...whose }: Whose & { readonly overlap?: number },
  endpointId: string,
): Promise<void> {
  const rotation = { endpointId, overlapSeconds: overlap ?? null }
  const { endpoint, secret } = await rotateSecret(...(await acting(tools, whose)), rotation)
  tools.output.one({ ...cells(endpoint), secret })
  tools.output.say(SHOWN_ONCE)
}

export async function remove(tools: Tools, whose: Whose, endpointId: string): Promise<void> {
  tools.output.one(cells(await deleteEndpoint(...(await acting(tools, whose)), { endpointId })))
  tools.output.say('It is deleted; its deliveries are removed by and by.')
}

export const iso = (at: Instant | null | undefined): string | null => (at == null ? null : toIso(at))

const cells = (endpoint: WebhookEndpoint): Cells => ({
  id: endpoint.id,
  url: endpoint.url,
  types: endpoint.types,
  status: endpoint.disabledAt === null ? 'enabled' : 'disabled',
  disabledReason: endpoint.disabledReason,
  disabledAt: iso(endpoint.disabledAt),
  createdAt: toIso(endpoint.createdAt),
  description: endpoint.description,
})
