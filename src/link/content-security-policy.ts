import { parseUrl } from '../platform/parse-url.ts'
import type { LinkApplication } from '../subgraphs/connections/linking/link-application.ts'
import { isLinkOrigin } from '../subgraphs/connections/linking/validate-settings.ts'

const LOCALHOST_ORIGINS = ['localhost:*', '*.localhost:*', '127.0.0.1:*'].flatMap((host) => [
  `http://${host}`,
  `https://${host}`,
])

/**
 * Returns the origins of the allowed host pages: pages that may frame the link pages or open them in a window. The link
 * pages post messages to these origins. `host` is the origin of the current host page, if the browser reports it.
 * It is included if the application allows it, as a sandbox application always allows localhost.
 */
export function hostOrigins(
  application: LinkApplication | null,
  host: string | undefined,
): readonly string[] {
  if (!application) return []
  const allowed = (application.linkOrigins ?? []).filter(isOrigin)
  const isExtraHost = host && !allowed.includes(host) && isLinkOrigin(host, application)
  return isExtraHost ? [...allowed, host] : allowed
}

/**
 * Returns the policy of a page: what it may load, what may frame it and where its forms may lead. Browsers
 * apply `form-action` to all redirects after a form. If a form ends at another site, the policy therefore
 * allows all https origins.
 */
export function contentSecurityPolicy(
  application: LinkApplication | null,
  formOrigins: readonly string[],
): string {
  const ancestors = [
    ...hostOrigins(application, undefined),
    ...(application?.environment === 'sandbox' ? LOCALHOST_ORIGINS : []),
  ]
  const actions = [
    "'self'",
    ...(formOrigins.length > 0 ? ['https:'] : []),
    ...new Set(formOrigins.filter(isOrigin)),
  ]
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

/** Whether a text is an origin. Any other text could change the policy. */
const isOrigin = (text: string): boolean => parseUrl(text)?.origin === text
