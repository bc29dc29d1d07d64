import { type Caller, keyHolder } from '../../auth/caller.ts'
import { publicLinkUrl } from '../../platform/config/link-url.ts'
import { webhookRules } from '../../platform/outbound-http/ssrf-guard.ts'
import { createEndpoint } from '../../subgraphs/events/webhooks/endpoints/create-endpoint.ts'
import { deleteEndpoint } from '../../subgraphs/events/webhooks/endpoints/delete-endpoint.ts'
import { disableEndpoint } from '../../subgraphs/events/webhooks/endpoints/disable-endpoint.ts'
import { enableEndpoint } from '../../subgraphs/events/webhooks/endpoints/enable-endpoint.ts'
import { rotateSecret } from '../../subgraphs/events/webhooks/endpoints/rotate-secret.ts'
import { updateEndpoint } from '../../subgraphs/events/webhooks/endpoints/update-endpoint.ts'
import { webhookRepository } from '../../subgraphs/events/webhooks/repository.ts'
import type { Ordering, WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import { maskHeader, openHeaders } from '../../subgraphs/events/webhooks/webhook-header.ts'
import type { WebhookCommandDeps } from '../../subgraphs/events/webhooks/command-deps.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import type { ApplicationOption } from '../application-command.ts'
import type { Cells } from '../output.ts'
import { CliError } from '../cli-error.ts'
import type { CommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import { type HeaderOptions, headersIn } from './webhook-headers.ts'

/**
 * Returns the first two arguments of the functions that change webhooks: their dependencies, and the application as
 * caller.
 */
export async function depsAndCaller(
  context: CommandContext,
  { application }: ApplicationOption,
): Promise<readonly [WebhookCommandDeps, Caller]> {
  const { db, clock, config } = context
  const { id } = await findApplicationById({ db }, application)
  const [secrets, notifier] = [await context.secrets(), await context.notifier()]
  return [{ db, clock, secrets, notifier, outgoingRules: webhookRules(config) }, keyHolder(id)]
}

export async function repositoryOf(context: CommandContext, { application }: ApplicationOption) {
  const { db, config } = context
  const { id } = await findApplicationById({ db }, application)
  const deps = {
    db,
    cursorKey: [], // The commands print no cursors.
    secrets: await context.secrets(),
    linkUrl: () => publicLinkUrl(config) ?? '',
  }
  return webhookRepository(deps, keyHolder(id))
}

const MAX_LISTED = 1000

export async function list(context: CommandContext, owner: ApplicationOption): Promise<void> {
  const reads = await repositoryOf(context, owner)
  const { rows } = await reads.endpoints({ first: MAX_LISTED })
  context.output.list(rows.map((row) => ({ ...cells(row), headers: reads.maskedHeaders(row) })))
}

export async function show(
  context: CommandContext,
  owner: ApplicationOption,
  endpointId: string,
): Promise<void> {
  const reads = await repositoryOf(context, owner)
  const endpoint = await reads.endpoint(endpointId)
  if (!endpoint) throw new CliError(`there is no webhook endpoint ${endpointId} of ${owner.application}`)
  const [progress, pending, head, secrets] = await Promise.all([
    reads.progress.load(endpointId),
    reads.pendingCount.load(endpointId),
    reads.latestPosition(),
    reads.secrets.load(endpointId),
  ])
  context.output.one({
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
    headers: reads.maskedHeaders(endpoint),
    secrets: secrets.map(({ id, createdAt, expiresAt }) => ({
      id,
      createdAt: toIso(createdAt),
      expiresAt: iso(expiresAt),
    })),
  })
}

interface EndpointSettings extends ApplicationOption, HeaderOptions {
  readonly types?: readonly string[]
  readonly connections?: readonly string[]
  readonly tags?: readonly string[]
  readonly description?: string
  readonly ordering?: Ordering
  readonly concurrency?: number
  readonly rate?: number
}

export async function create(
  context: CommandContext,
  { url, ...options }: EndpointSettings & { readonly url: string },
): Promise<void> {
  const input = { url, ...settingsIn(options) }
  const { endpoint, secret } = await createEndpoint(...(await depsAndCaller(context, options)), input)
  context.output.one({ ...cells(endpoint), secret, headers: await headersOf(context, endpoint) })
  context.output.say(SHOWN_ONCE)
}

export async function update(
  context: CommandContext,
  { url, ...options }: EndpointSettings & { readonly url?: string },
  endpointId: string,
): Promise<void> {
  const input = { endpointId, url, ...settingsIn(options) }
  const endpoint = await updateEndpoint(...(await depsAndCaller(context, options)), input)
  context.output.one({ ...cells(endpoint), headers: await headersOf(context, endpoint) })
}

const settingsIn = ({ connections, rate, ...options }: EndpointSettings) => ({
  types: options.types,
  connectionIds: connections,
  tags: options.tags,
  description: options.description,
  ordering: options.ordering,
  concurrency: options.concurrency,
  ratePerSecond: rate,
  headers: headersIn(options),
})

const headersOf = async (context: CommandContext, endpoint: WebhookEndpoint) =>
  openHeaders(await context.secrets(), endpoint).map(maskHeader)

const SHOWN_ONCE = 'The secret is shown only once: store it now.'

export async function disable(
  context: CommandContext,
  owner: ApplicationOption,
  endpointId: string,
): Promise<void> {
  context.output.one(cells(await disableEndpoint(...(await depsAndCaller(context, owner)), { endpointId })))
}

export async function enable(
  context: CommandContext,
  { skipMissed = false, ...owner }: ApplicationOption & { readonly skipMissed?: boolean },
  endpointId: string,
): Promise<void> {
  const enabled = await enableEndpoint(...(await depsAndCaller(context, owner)), { endpointId, skipMissed })
  context.output.one(cells(enabled))
}

export async function rotate(
  context: CommandContext,
  { overlap, ...owner }: ApplicationOption & { readonly overlap?: number },
  endpointId: string,
): Promise<void> {
  const rotation = { endpointId, overlapSeconds: overlap ?? null }
  const { endpoint, secret } = await rotateSecret(...(await depsAndCaller(context, owner)), rotation)
  context.output.one({ ...cells(endpoint), secret })
  context.output.say(SHOWN_ONCE)
}

export async function remove(
  context: CommandContext,
  owner: ApplicationOption,
  endpointId: string,
): Promise<void> {
  context.output.one(cells(await deleteEndpoint(...(await depsAndCaller(context, owner)), { endpointId })))
  context.output.say('The endpoint is deleted. Its deliveries are removed in the background.')
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
