import type { FastifyReply } from 'fastify'
import { findUnsupported } from '../providers/unsupported.ts'
import { beginLinkRun } from '../subgraphs/connections/linking/begin-link-run.ts'
import { isLinkable, isLinkOrigin, mayRedirect } from '../subgraphs/connections/linking/check-settings.ts'
import { connectionToRejoin } from '../subgraphs/connections/linking/connection-to-rejoin.ts'
import {
  applicationOfKey,
  type EnteredApplication,
  linkApplication,
  type LinkApplication,
} from '../subgraphs/connections/linking/link-application.ts'
import type { LinkSettings, RunSettings } from '../subgraphs/connections/linking/link-run.ts'
import { settingsOfShortLink } from '../subgraphs/connections/short-links/short-links.ts'
import { goTo, refuse } from './answer.ts'
import { isRefusal, settingsIn } from './asked-settings.ts'
import type { LinkFrom } from './link-from.ts'
import type { LinkRefusal } from './view.ts'
import type { Visit } from './visit.ts'

/** How runs begin: from an address with the integrator's publishable key and what it asks for. */

/** Begins a run that makes a connection. */
export async function beginNew(from: LinkFrom, visit: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const application = await applicationIn(from, visit)
  if (typeof application === 'string') return refuse(reply, visit, application)
  const settings = settingsIn(from, visit, application)
  if (isRefusal(settings)) return refuse(reply, visit, settings.why, { ...settings, application })
  return beginWith(from, visit, reply, application, settings)
}

/** What stands in the address of a run that makes a connection, and not where one is signed in to again. */
const NEW_ONLY = [
  'sync_mode',
  'tags',
  'external_id',
  'name',
  'provider',
  'backfill_days',
  'backfill_start_from',
]

/** Begins a run that signs in to a connection again. */
export async function beginAgain(
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  connectionId: string,
): Promise<FastifyReply> {
  const application = await applicationIn(from, visit)
  if (typeof application === 'string') return refuse(reply, visit, application)
  const parameter = NEW_ONLY.find((name) => visit.query.has(name))
  if (parameter !== undefined) return refuse(reply, visit, 'bad_parameter', { parameter, application })
  const settings = settingsIn(from, visit, application)
  if (isRefusal(settings)) return refuse(reply, visit, settings.why, { ...settings, application })
  const connection = await connectionToRejoin(from.db, application, connectionId)
  if (!connection) return refuse(reply, visit, 'unknown_connection', { application })
  return beginWith(from, visit, reply, application, settings, connection)
}

/**
 * Begins a run with the settings of a short link. One that is unknown, deleted or over is refused; and so is one that
 * leads back to where the application does not send its fleets any more.
 */
export async function beginShort(
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  code: string,
): Promise<FastifyReply> {
  const found = await settingsOfShortLink(from.db, code, from.clock.now())
  const application = found && (await linkApplication(from.db, found.applicationId))
  if (!application) return refuse(reply, visit, 'expired')
  const { redirectUrl, provider } = found.settings
  if (redirectUrl !== undefined && !mayRedirect(redirectUrl, application))
    return refuse(reply, visit, 'redirect_not_allowed', { application })
  if (provider !== undefined && !isOffered(provider, from))
    return refuse(reply, visit, 'unknown_provider', { application })
  return beginWith(from, visit, reply, { ...application, door: found.id }, found.settings)
}

function isOffered(code: string, { registry }: Pick<LinkFrom, 'registry'>): boolean {
  const provider = registry.find(code)
  return provider ? isLinkable(provider.manifest) : findUnsupported(registry, code) !== null
}

/** Begins a run with settings that have been checked, and sends the browser to it. */
export async function beginWith(
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  application: EnteredApplication,
  settings: LinkSettings,
  connection?: { readonly id: string; readonly provider: string },
): Promise<FastifyReply> {
  const token = await beginLinkRun(from, {
    applicationId: application.id,
    settings: { ...settings, ...around(visit, application), door: application.door },
    remoteAddress: visit.remoteAddress,
    ...(connection ? { connection } : {}),
  })
  return goTo(reply, runAddress(visit.home, token, visit.asked))
}

/** Where a run is, in the language that was asked for. */
export const runAddress = (home: string, token: string, language: string | null | undefined): string =>
  `${home}/run/${token}${language ? `?lang=${language}` : ''}`

/** What is known when a run begins, and no longer when it has gone on a few pages. */
function around({ isFramed, cameFrom, asked }: Visit, application: LinkApplication): Partial<RunSettings> {
  const host = cameFrom !== null && isLinkOrigin(cameFrom, application) ? cameFrom : ''
  const opened = host === '' ? {} : { openedBy: host }
  return {
    ...(isFramed === true ? { framedBy: host } : opened),
    ...(asked === null ? {} : { language: asked }),
  }
}

async function applicationIn(
  { db, clock, keyUses }: LinkFrom,
  { query }: Visit,
): Promise<EnteredApplication | LinkRefusal> {
  const key = query.get('key')
  if (!key) return 'no_key'
  return (await applicationOfKey(db, key, clock.now(), keyUses)) ?? 'unknown_key'
}
