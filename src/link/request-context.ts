import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { languageIn, preferredLanguage } from './pages/i18n/language.ts'
import type { LinkDeps } from './link-deps.ts'
import { matchesHost } from './host-rewrite.ts'
import type { Language } from './view.ts'
import { parseUrl } from '../platform/parse-url.ts'

/** Data of a request to the link pages, other than its path. */
export interface LinkRequestContext {
  readonly query: URLSearchParams
  /**
   * Path prefix of the pages on the current host: `/link`, or empty at the root of an origin of their own.
   */
  readonly base: string
  /** Base URL of the link pages, as used for providers and agreements. */
  readonly address: string
  /**
   * Prefix of the pages of a new run: the base URL if the current host is another one, else the path prefix.
   */
  readonly home: string
  /** IP address of the client, as far as the proxies are trusted. */
  readonly remoteAddress: string
  readonly language: Language
  /** Language in the query of the URL. */
  readonly requestedLanguage: Language | null
  /** Whether the page is in a frame; null if the browser does not report it. */
  readonly isFramed: boolean | null
  /** Origin of the referring page, if the browser reports it. */
  readonly refererOrigin: string | null
}

const FRAMES = new Set(['iframe', 'frame', 'embed', 'object'])

/** Reads the context of a request, given the configured base URL and the trusted proxies. */
export function readRequestContext(
  request: FastifyRequest,
  { address: configured, isProxy }: Pick<LinkDeps, 'address' | 'isProxy'>,
): LinkRequestContext {
  const { headers, host, protocol } = request
  const query = new URL(request.url, 'http://path').searchParams
  const isOnLinkHost = configured !== null && matchesHost(host, configured)
  const base = isOnLinkHost ? new URL(configured).pathname.replace(/\/$/, '') : '/link'
  const requestedLanguage = languageIn(query)
  const address = configured ?? `${protocol}://${host}${base}`
  const dest = headers['sec-fetch-dest']
  return {
    query,
    base,
    address,
    home: isOnLinkHost ? base : (configured ?? base),
    remoteAddress: remoteAddressOf(request, address, isProxy),
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
 * Whether a page of another site sent a form. Clients other than browsers send no such headers and are
 * accepted.
 */
export function isForeign({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  return parseUrl(origin)?.host !== host
}

/**
 * Returns the IP address of the client. Each proxy appends the address of its client to X-Forwarded-For. The
 * last address that is not a trusted proxy is therefore the client; earlier entries may be forged. Without
 * configured proxies: the server has no TLS, so an https base URL implies one proxy.
 */
function remoteAddressOf(
  { headers, ip }: FastifyRequest,
  address: string,
  isProxy: LinkDeps['isProxy'],
): string {
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
  const requester = isProxy
    ? [...hops, ip].findLast((hop) => isIP(hop) === 0 || !isProxy(hop))
    : address.startsWith('https:') && hops.at(-1)
  return requester && isIP(requester) > 0 ? requester : ip
}
