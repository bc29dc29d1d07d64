import { authenticator } from '../auth/caller.ts'
import { AccessMonitor } from '../auth/access-revocation.ts'
import { sessionTokens } from '../auth/session-tokens.ts'
import type { Config } from '../platform/config/config.ts'
import type { RemoteSubgraphs } from './remote-subgraphs.ts'
import { createContextFactory } from '../gateway/context.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { webhookRules } from '../platform/outbound-http/ssrf-guard.ts'
import type { Disposer } from '../platform/lifecycle/disposer.ts'
import { accessTopic } from '../subgraphs/streams/topics.ts'
import { accessLookups } from '../subgraphs/connections/applications/access-lookups.ts'
import { callerLookups } from '../subgraphs/connections/applications/caller-lookups.ts'
import {
  type KeyUsageRecorder,
  createKeyUsageRecorder,
} from '../subgraphs/connections/applications/key-usage.ts'
import type { MediaTickets } from '../subgraphs/on-demand/media-tickets.ts'
import { createOnDemandPoll } from '../sync/ingest/on-demand-poll.ts'
import type { WorkerDeps } from '../sync/sync-context.ts'

/** A gateway, whose access to it ends while they use it, and what notes the use of keys. */
export type AppGateway = Gateway & { readonly access: AccessMonitor; readonly keyUses: KeyUsageRecorder }

interface GatewayUrls {
  readonly elsewhere: RemoteSubgraphs
  readonly tickets: MediaTickets
  publicUrl(): string
  linkUrl(): string
}

/** A ring is lost where a process or its Redis fails; without Redis there is none from other processes at all. */
const ACCESS_CHECK_MS = 3_000
const ACCESS_CHECK_WITHOUT_NOTIFICATIONS_MS = 700

/** Opens the gateway over the subgraphs, those of this process and those of others. */
export function createAppGateway(
  deps: WorkerDeps,
  config: Config,
  { elsewhere, tickets, publicUrl, linkUrl }: GatewayUrls,
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
      onTrouble: (err) => log.warn({ err }, 'it cannot be looked up whose access has ended'),
    }),
  )
  const uses = disposer.add(
    createKeyUsageRecorder({
      db,
      clock,
      onTrouble: (err) => log.warn({ err }, 'it cannot be noted that keys are in use'),
    }),
  )
  const gateway = createGateway({
    authenticate: authenticator(callerLookups(db), {
      tokens: sessionTokens(secrets, clock),
      subscribe,
      noteUse: (keyId) => uses.record(keyId),
      clock,
    }),
    contextFor: createContextFactory({
      ...deps,
      ...(config.mysqlReplicas.length > 0 ? { forReading: () => db.forReading() } : {}),
      cursorKey: secrets.derive('cursors'),
      linkUrl,
      outgoingRules: webhookRules(config),
      pollOnDemand: createOnDemandPoll({ ...deps, liveTimeoutMs: config.liveTimeoutSeconds * 1000 }),
      publicUrl,
      mediaUrl: (film) => `${publicUrl()}/media/${tickets.tokenOf(film)}`,
    }),
    log,
    ...elsewhere,
  })
  return { ...gateway, access, keyUses: uses }
}
