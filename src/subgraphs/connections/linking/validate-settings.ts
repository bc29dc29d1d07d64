import { invalidMember } from '../../../domain/errors.ts'
import type { PublicError } from '../../../domain/errors.ts'
import type { Manifest } from '../../../providers/provider.ts'
import type { Registry } from '../../../providers/registry.ts'
import { findUnsupportedProvider } from '../../../providers/unsupported-providers.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Application } from '../applications/application.ts'
import { validateText, validateTexts, backfillStart } from '../validate-input.ts'
import type { SyncMode } from '../connection.ts'
import { type ProviderPolicy, requireAvailable } from '../providers/available-providers.ts'
import type { LinkSettings } from './link-run.ts'
import { parseUrl } from '../../../platform/parse-url.ts'

/** Settings of a link run before validation, from the URL of a link page or from a request for a short link. */
export interface LinkInput {
  readonly syncMode?: SyncMode | null
  readonly tags?: readonly string[] | null
  readonly externalId?: string | null
  readonly name?: string | null
  readonly provider?: string | null
  readonly providerHints?: readonly string[] | null
  readonly backfill?: { readonly startFrom?: Instant | null; readonly days?: number | null } | null
  readonly redirectUrl?: string | null
  readonly state?: string | null
  readonly template?: string | null
}

/** What the validation of settings depends on. */
export interface SettingsContext {
  readonly registry: Pick<Registry, 'find'>
  readonly application: RedirectPolicy & ProviderPolicy
  readonly now: Instant
}

/** The fields of an application that decide to which origins the link pages may redirect. */
export type RedirectPolicy = Pick<Application, 'linkOrigins' | 'environment'>

const MAX_STATE_LENGTH = 2048
const MAX_BACKFILL_DAYS = 36_500

/** Validates settings and drops those that are null or undefined. An error contains the path of the invalid setting. */
export function validateSettings(input: LinkInput, context: SettingsContext): LinkSettings {
  const { syncMode, tags, externalId, name, provider, providerHints, redirectUrl, state, template } = input
  validateText('name', name)
  validateText('externalId', externalId)
  validateText('template', template)
  validateTexts('tags', tags)
  validateTexts('providerHints', providerHints)
  if (provider != null) checkProvider('provider', provider, context)
  for (const hint of providerHints ?? []) checkProvider('providerHints', hint, context)
  if (redirectUrl != null) checkRedirect(redirectUrl, context.application)
  if (state != null && state.length > MAX_STATE_LENGTH)
    throw invalidMember('state', `\`state\` may have ${MAX_STATE_LENGTH} characters at most.`)
  return {
    ...(syncMode == null ? {} : { syncMode }),
    ...(tags == null || tags.length === 0 ? {} : { tags: [...new Set(tags)] }),
    ...(externalId == null ? {} : { externalId }),
    ...(name == null ? {} : { name }),
    ...(provider == null ? {} : { provider }),
    ...(providerHints == null || providerHints.length === 0 ? {} : { providerHints: [...providerHints] }),
    ...backfillOf(input.backfill ?? {}, context.now),
    ...(redirectUrl == null ? {} : { redirectUrl }),
    ...(state == null ? {} : { state }),
    ...(template == null ? {} : { template }),
  }
}

/** Returns the path of the invalid setting in an error of `validateSettings`, such as `backfill.days`. */
export function invalidPathOf({ detail }: Pick<PublicError, 'detail'>): string | null {
  const problem = typeof detail === 'string' ? undefined : detail?.[0]
  return problem?.path.replace(/^input\./, '') ?? null
}

/** Whether a fleet can sign in to a provider on the link pages. */
export const isLinkable = ({ status, signIns }: Pick<Manifest, 'status' | 'signIns'>): boolean =>
  status !== 'deprecated' && signIns.length > 0

/** Whether the link pages may redirect the fleet's browser to a URL. */
export function mayRedirect(redirectUrl: string, application: RedirectPolicy): boolean {
  const url = parseUrl(redirectUrl)
  if (!url) return false
  const { protocol, username, password, origin } = url
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === ''
  return isPlain && isLinkOrigin(origin, application)
}

/**
 * Whether pages of an origin can embed the link pages and receive redirects from them. Applications in the sandbox
 * environment also allow pages on the developer's own machine.
 */
export const isLinkOrigin = (origin: string, { linkOrigins, environment }: RedirectPolicy): boolean =>
  (linkOrigins ?? []).includes(origin) || (environment === 'sandbox' && isLocalhost(new URL(origin).hostname))

/** Whether a host is the developer's own machine. */
const isLocalhost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1'

const MAX_URL_LENGTH = 2048

function checkRedirect(redirectUrl: string, application: RedirectPolicy): void {
  if (redirectUrl.length > MAX_URL_LENGTH)
    throw invalidMember('redirectUrl', `\`redirectUrl\` may have ${MAX_URL_LENGTH} characters at most.`)
  if (!mayRedirect(redirectUrl, application))
    throw invalidMember(
      'redirectUrl',
      '`redirectUrl` must be an address of one of the link origins of the application.',
    )
}

function checkProvider(member: string, code: string, { registry, application }: SettingsContext): void {
  if (findUnsupportedProvider(registry, code)) return
  const found = registry.find(code)
  if (!found) throw invalidMember(member, 'There is no provider with this code.')
  if (!isLinkable(found.manifest)) throw invalidMember(member, 'Fleets cannot sign in to this provider.')
  requireAvailable(found.manifest, application, member)
}

/**
 * Returns the start of the backfill. A number of days is stored unchanged: it counts back from the creation of the
 * connection.
 */
function backfillOf(
  { startFrom, days }: NonNullable<LinkInput['backfill']>,
  now: Instant,
): Pick<LinkSettings, 'backfillDays' | 'backfillFrom'> {
  const from = backfillStart({ startFrom: startFrom ?? null, days: days ?? null }, now, 'backfill.')
  if (days != null) {
    if (!(days <= MAX_BACKFILL_DAYS))
      throw invalidMember('backfill.days', `\`backfill.days\` must be ${MAX_BACKFILL_DAYS} at most.`)
    return { backfillDays: days }
  }
  return from === null ? {} : { backfillFrom: from }
}
