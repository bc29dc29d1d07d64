import type { FastifyRequest } from 'fastify'
import { languageIn, preferredLanguage } from './pages/i18n/language.ts'
import type { LinkDeps } from './link-deps.ts'
import type { Language } from './view.ts'
import { matchesHost, parseUrl } from '../platform/parse-url.ts'

/** Data of a request to the link pages, other than its path. */
export interface LinkRequestContext {
  readonly query: URLSearchParams
  /** Path of the pages on the current host: `/link`, or empty if they are at the root of their own origin. */
  readonly basePath: string
  /** Full URL of the link pages. Providers redirect to it, and the default agreement is below it. */
  readonly baseUrl: string
  /**
   * Prefix of the URL of a new link run: the configured base URL if this request has another host, so that the run
   * continues at the base URL. Otherwise the path of the pages.
   */
  readonly runPrefix: string
  /** IP address of the client, if the proxies that report it are trusted; else that of the last proxy. */
  readonly remoteAddress: string
  readonly language: Language
  /** Language that the query of the URL requests; null if it requests none. */
  readonly requestedLanguage: Language | null
  /** Whether the page is in a frame; null if the browser does not report it. */
  readonly isFramed: boolean | null
  /** Origin of the referring page, if the browser reports it. */
  readonly refererOrigin: string | null
}

const FRAMES = new Set(['iframe', 'frame', 'embed', 'object'])

/** Reads the context of a request, given the configured base URL. */
export function readRequestContext(
  request: FastifyRequest,
  { baseUrl: configuredUrl }: Pick<LinkDeps, 'baseUrl'>,
): LinkRequestContext {
  const { headers, host, protocol, remoteAddress } = request
  const query = new URL(request.url, 'http://path').searchParams
  const isOnLinkHost = configuredUrl !== null && matchesHost(host, configuredUrl)
  const basePath = isOnLinkHost ? new URL(configuredUrl).pathname.replace(/\/$/, '') : '/link'
  const requestedLanguage = languageIn(query)
  const baseUrl = configuredUrl ?? `${protocol}://${host}${basePath}`
  const dest = headers['sec-fetch-dest']
  return {
    query,
    basePath,
    baseUrl,
    runPrefix: isOnLinkHost ? basePath : (configuredUrl ?? basePath),
    remoteAddress,
    requestedLanguage,
    language: requestedLanguage ?? preferredLanguage(headers['accept-language']),
    isFramed: dest === 'document' ? false : FRAMES.has(String(dest)) ? true : null,
    refererOrigin: originOf(headers.referer),
  }
}

/** Returns the origin of a URL. Null for an invalid URL, and for one without an origin, such as `data:`. */
export function originOf(url: string | undefined): string | null {
  const origin = url === undefined ? undefined : parseUrl(url)?.origin
  return origin === undefined || origin === 'null' ? null : origin
}

/**
 * Whether a page of another origin sent a form. Such a request can be forged (CSRF). Clients other than browsers send
 * neither `Sec-Fetch-Site` nor `Origin`, and are accepted.
 */
export function isCrossOrigin({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  return origin !== undefined && !matchesHost(host, origin)
}
