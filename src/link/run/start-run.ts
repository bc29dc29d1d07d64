import type { FastifyReply } from 'fastify'
import { findUnsupportedProvider } from '../../providers/unsupported-providers.ts'
import { beginLinkRun } from '../../subgraphs/connections/linking/begin-link-run.ts'
import {
  isLinkable,
  isLinkOrigin,
  mayRedirect,
} from '../../subgraphs/connections/linking/validate-settings.ts'
import { findReconnectableConnection } from '../../subgraphs/connections/linking/find-reconnectable.ts'
import {
  applicationOfKey,
  type ApplicationWithEntryPoint,
  linkApplication,
  type LinkApplication,
} from '../../subgraphs/connections/linking/link-application.ts'
import { isAvailable } from '../../subgraphs/connections/providers/available-providers.ts'
import type { RunSettings } from '../../subgraphs/connections/linking/link-run.ts'
import { findShortLinkSettings } from '../../subgraphs/connections/short-links/find-short-link.ts'
import { redirectTo, replyWithRefusal } from '../reply.ts'
import { isSettingsRefusal, parseSettings } from '../parse-settings.ts'
import { agreementOf } from './select-view.ts'
import type { LinkDeps } from '../link-deps.ts'
import type { LinkRefusal } from '../view.ts'
import type { LinkRequestContext } from '../request-context.ts'

/** Starts a run that creates a connection. The URL contains the publishable key of the integrator and settings. */
export async function startNewRun(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const application = await applicationIn(deps, context)
  if (typeof application === 'string') return replyWithRefusal(reply, context, application)
  const settings = parseSettings(deps, context, application)
  if (isSettingsRefusal(settings))
    return replyWithRefusal(reply, context, settings.why, { ...settings, application })
  return startRun(deps, context, reply, application, settings)
}

/** Query parameters that apply only to a run that creates a connection. */
const NEW_CONNECTION_PARAMETERS = [
  'sync_mode',
  'tags',
  'external_id',
  'name',
  'provider',
  'backfill_days',
  'backfill_start_from',
]

/** Starts a run that signs in to a connection again. Its URL also contains the publishable key and settings. */
export async function startReconnectRun(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  connectionId: string,
): Promise<FastifyReply> {
  const application = await applicationIn(deps, context)
  if (typeof application === 'string') return replyWithRefusal(reply, context, application)
  const parameter = NEW_CONNECTION_PARAMETERS.find((name) => context.query.has(name))
  if (parameter !== undefined)
    return replyWithRefusal(reply, context, 'bad_parameter', { parameter, application })
  const settings = parseSettings(deps, context, application)
  if (isSettingsRefusal(settings))
    return replyWithRefusal(reply, context, settings.why, { ...settings, application })
  const connection = await findReconnectableConnection(deps.db, application, connectionId)
  if (!connection) return replyWithRefusal(reply, context, 'unknown_connection', { application })
  const hasAgreed = connection.agreementUrl === agreementOf(application, context)
  return startRun(deps, context, reply, application, { ...settings, hasAgreed }, connection)
}

/**
 * Starts a run with the settings of a short link. Refuses an unknown, deleted or expired link. The settings were valid
 * when the link was created, but the allowed redirect URLs and the providers may have changed, so they are checked
 * again.
 */
export async function startShortLinkRun(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  code: string,
): Promise<FastifyReply> {
  const found = await findShortLinkSettings(deps.db, code, deps.clock.now())
  const application = found && (await linkApplication(deps.db, found.applicationId))
  if (!application) return replyWithRefusal(reply, context, 'expired')
  const { redirectUrl, provider } = found.settings
  if (redirectUrl !== undefined && !mayRedirect(redirectUrl, application))
    return replyWithRefusal(reply, context, 'redirect_not_allowed', { application })
  if (provider !== undefined && !isOffered(provider, deps))
    return replyWithRefusal(reply, context, 'unknown_provider', { application })
  return startRun(deps, context, reply, { ...application, entryPointId: found.id }, found.settings)
}

function isOffered(code: string, { registry }: Pick<LinkDeps, 'registry'>): boolean {
  const provider = registry.find(code)
  return provider ? isLinkable(provider.manifest) : findUnsupportedProvider(registry, code) !== null
}

/**
 * Starts a run with validated settings and redirects the browser to it. Refuses a provider that the application cannot
 * use.
 */
export async function startRun(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  application: ApplicationWithEntryPoint,
  settings: RunSettings,
  connection?: { readonly id: string; readonly provider: string },
): Promise<FastifyReply> {
  const provider = deps.registry.find(connection?.provider ?? settings.provider ?? '')
  if (provider && !isAvailable(provider.manifest, application))
    return replyWithRefusal(reply, context, 'sandbox_provider', { application })
  const token = await beginLinkRun(deps, {
    applicationId: application.id,
    settings: { ...settings, ...requestSettings(context, application), door: application.entryPointId },
    remoteAddress: context.remoteAddress,
    ...(connection ? { connection } : {}),
  })
  return redirectTo(reply, runUrl(context.runPrefix, token, context.requestedLanguage))
}

/** Returns the URL of a run, with the requested language in its query. */
export const runUrl = (prefix: string, token: string, language: string | null | undefined): string =>
  `${prefix}/run/${token}${language ? `?lang=${language}` : ''}`

/** Returns the settings that only the first request of a run reveals: its host page and its language. */
function requestSettings(
  { isFramed, refererOrigin, requestedLanguage }: LinkRequestContext,
  application: LinkApplication,
): Partial<RunSettings> {
  const host = refererOrigin !== null && isLinkOrigin(refererOrigin, application) ? refererOrigin : ''
  const opened = host === '' ? {} : { openedBy: host }
  return {
    ...(isFramed === true ? { framedBy: host } : opened),
    ...(requestedLanguage === null ? {} : { language: requestedLanguage }),
  }
}

/** Returns the application of the key in the URL, or the reason for a refusal. */
async function applicationIn(
  { db, clock, keyUses }: LinkDeps,
  { query }: LinkRequestContext,
): Promise<ApplicationWithEntryPoint | LinkRefusal> {
  const key = query.get('key')
  if (!key) return 'no_key'
  return (await applicationOfKey(db, key, clock.now(), keyUses)) ?? 'unknown_key'
}
