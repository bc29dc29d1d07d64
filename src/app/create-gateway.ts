import { authenticator } from '../auth/caller.ts'
import { AccessMonitor } from '../auth/access-revocation.ts'
import { sessionTokens } from '../auth/session-tokens.ts'
import { FailedAttempts } from '../auth/failed-attempts.ts'
import { type Config, servesCallers } from '../platform/config/config.ts'
import type { RemoteSubgraphs } from './remote-subgraphs.ts'
import { createContextFactory } from '../gateway/context.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { createRequestRateLimiter } from '../gateway/rate-limit/create-request-rate-limiter.ts'
import { webhookRules } from '../platform/outbound-http/ssrf-guard.ts'
import type { Disposer } from '../platform/lifecycle/disposer.ts'
import { accessTopic } from '../subgraphs/streams/topics.ts'
import { accessLookups } from '../subgraphs/connections/applications/access-lookups.ts'
import { callerLookups } from '../subgraphs/connections/applications/caller-lookups.ts'
import {
  type KeyUsageRecorder,
  createKeyUsageRecorder,
} from '../subgraphs/connections/applications/key-usage.ts'
import { createIdempotencyStore } from '../subgraphs/connections/requests/idempotency-store.ts'
import type { MediaTickets } from '../subgraphs/on-demand/media-tickets.ts'
import { createOnDemandPoll } from '../sync/ingest/latest/on-demand-poll.ts'
import type { WorkerDeps } from '../sync/sync-context.ts'

/**
 * Gateway, with the monitor that closes sockets and streams when their access ends, the recorder of key usage, and the
 * limit of failed attempts.
 */
export type AppGateway = Gateway & {
  readonly access: AccessMonitor
  readonly keyUses: KeyUsageRecorder
  readonly failedAttempts: FailedAttempts
}

interface GatewayParts {
  readonly remoteSubgraphs: RemoteSubgraphs
  readonly tickets: MediaTickets
  publicUrl(): string
  linkUrl(): string
}

/**
 * Interval of the check whether the keys and sessions of open sockets and streams are still valid. Notifications report
 * a revocation at once; the check finds those whose notification was lost because a process or Redis failed.
 */
const ACCESS_CHECK_MS = 3_000
/** Interval of the same check without Redis. It is shorter, because other processes then send no notifications. */
const ACCESS_CHECK_WITHOUT_NOTIFICATIONS_MS = 700

/** Creates the gateway over the local and remote subgraphs. */
export function createAppGateway(
  deps: WorkerDeps,
  config: Config,
  { remoteSubgraphs, tickets, publicUrl, linkUrl }: GatewayParts,
  disposer: Disposer,
): AppGateway {
  const { db, notifier, secrets, clock, log } = deps
  const subscribe = (applicationId: string, listener: () => void) =>
    notifier.subscribe(accessTopic(applicationId), listener)
  const access = disposer.add(
    new AccessMonitor({
      lookups: accessLookups(db),
      subscribe,
      clock,
      checkMs: config.redisUrl ? ACCESS_CHECK_MS : ACCESS_CHECK_WITHOUT_NOTIFICATIONS_MS,
      onError: (err) => log.warn({ err }, 'access check failed'),
    }),
  )
  const keyUses = disposer.add(
    createKeyUsageRecorder({
      db,
      clock,
      onWriteError: (err) => log.warn({ err }, 'key usage write failed'),
    }),
  )
  const failedAttempts = new FailedAttempts(config.rateLimitAddress)
  // A gateway has limited the requests of a subgraph already.
  const rates = servesCallers(config.role) ? disposer.add(createRequestRateLimiter(config, log)) : undefined
  const gateway = createGateway({
    authenticate: authenticator(callerLookups(db), {
      tokens: sessionTokens(secrets, clock),
      subscribe,
      noteUse: (keyId) => keyUses.record(keyId),
      clock,
      failedAttempts,
    }),
    contextFor: createContextFactory({
      ...deps,
      statementsAtOnce: statementsAtOnce(db),
      maxReadMegabytes: config.maxReadMegabytes,
      purchaseDeadlineMs: config.purchaseDeadlineMs,
      ...(config.mysqlReplicas.length > 0 ? { forReading: () => db.forReading() } : {}),
      cursorKey: secrets.derive('cursors'),
      linkUrl,
      outgoingRules: webhookRules(config),
      pollOnDemand: createOnDemandPoll({ ...deps, liveTimeoutMs: config.liveTimeoutSeconds * 1000 }),
      publicUrl,
      mediaUrl: (media) => `${publicUrl()}/media/${tickets.tokenOf(media)}`,
    }),
    costLimits: { operation: config.maxOperationCost, event: config.maxEventCost },
    rateLimiter: rates?.limiter,
    idempotencyStore: createIdempotencyStore(deps),
    operationTimeoutMs: config.maxOperationSeconds * 1000,
    log,
    ...remoteSubgraphs,
  })
  return { ...gateway, access, keyUses, failedAttempts }
}

/**
 * Share of the connection pool that the reads of one application may use. The rest is for other applications and for
 * writes.
 */
const SHARE_OF_POOL = 0.5

/** The embedded database runs one statement at a time. */
export const statementsAtOnce = (db: Pick<WorkerDeps['db'], 'pool'>): number =>
  Math.ceil((db.pool()?.limit ?? 1) * SHARE_OF_POOL)
