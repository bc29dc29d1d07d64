import { parseUrl } from '../platform/parse-url.ts'
import type { LinkApplication } from '../subgraphs/connections/linking/link-application.ts'
import { isLinkOrigin } from '../subgraphs/connections/linking/validate-settings.ts'

const OWN_MACHINE = ['localhost:*', '*.localhost:*', '127.0.0.1:*'].flatMap((host) => [
  `http://${host}`,
  `https://${host}`,
])

/**
 * Whose pages may frame the link pages of an application or open them in a window, as concrete origins: those that a
 * page may speak to. `host` is the one that does, where the browser tells.
 */
export function hostOrigins(
  application: LinkApplication | null,
  host: string | undefined,
): readonly string[] {
  if (!application) return []
  const allowed = (application.linkOrigins ?? []).filter(isOrigin)
  const isAlso = host && !allowed.includes(host) && isLinkOrigin(host, application)
  return isAlso ? [...allowed, host] : allowed
}

/**
 * What a page may load, where it may be framed and where its forms may lead. A form that ends at another site passes
 * through its redirects, which browsers hold against `form-action`: hence any https where one does.
 */
export function contentSecurityPolicy(application: LinkApplication | null, leads: readonly string[]): string {
  const ancestors = [
    ...hostOrigins(application, undefined),
    ...(application?.environment === 'sandbox' ? OWN_MACHINE : []),
  ]
  const actions = ["'self'", ...(leads.length > 0 ? ['https:'] : []), ...new Set(leads.filter(isOrigin))]
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${actions.join(' ')}`,
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
  ].join('; ')
}

/** Nothing else may stand in a policy. */
const isOrigin = (text: string): boolean => parseUrl(text)?.origin === text
