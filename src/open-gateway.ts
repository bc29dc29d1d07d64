import { authenticator } from './auth/caller.ts'
import { LiveAccess } from './auth/live-access.ts'
import { sessionTokens } from './auth/session-tokens.ts'
import type { Config } from './config.ts'
import type { Elsewhere } from './elsewhere.ts'
import { contexts } from './gateway/context.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import { webhookRules } from './outgoing/check-url.ts'
import type { Resources } from './resources.ts'
import { accessTopic } from './subgraphs/access.ts'
import { accessLookups } from './subgraphs/connections/applications/access-lookups.ts'
import { callerLookups } from './subgraphs/connections/applications/caller-lookups.ts'
import { type KeyUses, keyUses } from './subgraphs/connections/applications/key-uses.ts'
import type { MediaTickets } from './subgraphs/media.ts'
import type { SyncTools } from './sync/run.ts'

/** A gateway, whose access to it ends while they use it, and what notes the use of keys. */
export type OpenGateway = Gateway & { readonly access: LiveAccess; readonly keyUses: KeyUses }

interface Places {
  readonly elsewhere: Elsewhere
  readonly tickets: MediaTickets
  publicUrl(): string
  linkUrl(): string
}

/** A ring is lost where a process or its Redis fails; without Redis there is none from other processes at all. */
const ACCESS_LOOK_MS = 3_000
const ACCESS_LOOK_UNRUNG_MS = 700

/** Opens the gateway over the subgraphs, those of this process and those of others. */
export function openGateway(
  tools: SyncTools,
  config: Config,
  { elsewhere, tickets, publicUrl, linkUrl }: Places,
  doors: Resources,
): OpenGateway {
  const { db, doorbell, secrets, clock, log } = tools
  const listen = (applicationId: string, ear: () => void) => doorbell.listen(accessTopic(applicationId), ear)
  const access = doors.add(
    new LiveAccess({
      lookups: accessLookups(db),
      listen,
      clock,
      lookMs: config.redisUrl ? ACCESS_LOOK_MS : ACCESS_LOOK_UNRUNG_MS,
      onTrouble: (err) => log.warn({ err }, 'it cannot be looked up whose access has ended'),
    }),
  )
  const uses = doors.add(
    keyUses({ db, clock, onTrouble: (err) => log.warn({ err }, 'it cannot be noted that keys are in use') }),
  )
  const gateway = createGateway({
    authenticate: authenticator(callerLookups(db), {
      tokens: sessionTokens(secrets, clock),
      listen,
      noteUse: (keyId) => uses.note(keyId),
      clock,
    }),
    contextFor: contexts({
      ...tools,
      ...(config.mysqlReplicas.length > 0 ? { forReading: () => db.forReading() } : {}),
      cursorKey: secrets.derive('cursors'),
      linkUrl,
      outgoingRules: webhookRules(config),
      liveTimeoutMs: config.liveTimeoutSeconds * 1000,
      publicUrl,
      mediaUrl: (film) => `${publicUrl()}/media/${tickets.tokenOf(film)}`,
    }),
    log,
    ...elsewhere,
  })
  return { ...gateway, access, keyUses: uses }
}
