import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { languageIn, likedLanguage } from './pages/i18n/language.ts'
import type { LinkDeps } from './link-deps.ts'
import { matchesHost } from './host-rewrite.ts'
import type { Language } from './view.ts'
import { parseUrl } from '../platform/parse-url.ts'

/** What a request to the link pages tells beside its path. */
export interface LinkRequestContext {
  readonly query: URLSearchParams
  /** What the paths of the pages begin with where the browser is: `/link`, or nothing at the root of an origin. */
  readonly base: string
  /** The address of the link pages, as providers and agreements name it. */
  readonly address: string
  /** What the pages of a new run begin with: the address where the browser is at another one. */
  readonly home: string
  /** The address that it comes from, as far as the proxies before the service can be believed. */
  readonly remoteAddress: string
  readonly language: Language
  /** The language that was asked for in the address. */
  readonly asked: Language | null
  /** Whether the page is in a frame; null where the browser does not tell. */
  readonly isFramed: boolean | null
  /** The origin of the page that led here, where the browser tells. */
  readonly cameFrom: string | null
}

const FRAMES = new Set(['iframe', 'frame', 'embed', 'object'])

/** What a request tells, by where the link pages are said to be and which proxies are before them. */
export function readRequestContext(
  request: FastifyRequest,
  { address: said, isProxy }: Pick<LinkDeps, 'address' | 'isProxy'>,
): LinkRequestContext {
  const { headers, host, protocol } = request
  const query = new URL(request.url, 'http://path').searchParams
  const isThere = said !== null && matchesHost(host, said)
  const base = isThere ? new URL(said).pathname.replace(/\/$/, '') : '/link'
  const asked = languageIn(query)
  const address = said ?? `${protocol}://${host}${base}`
  const dest = headers['sec-fetch-dest']
  return {
    query,
    base,
    address,
    home: isThere ? base : (said ?? base),
    remoteAddress: remoteAddressOf(request, address, isProxy),
    asked,
    language: asked ?? likedLanguage(headers['accept-language']),
    isFramed: dest === 'document' ? false : FRAMES.has(String(dest)) ? true : null,
    cameFrom: originOf(headers.referer),
  }
}

/** The origin of an address; null for what is none, and for what has none of its own, such as `data:`. */
export function originOf(url: string | undefined): string | null {
  const origin = url === undefined ? undefined : parseUrl(url)?.origin
  return origin === undefined || origin === 'null' ? null : origin
}

/** Whether a form was sent by a page of another site. What is no browser tells nothing. */
export function isForeign({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  return parseUrl(origin)?.host !== host
}

/**
 * Where a request comes from. Each proxy adds to X-Forwarded-For who came to it: the last that is no proxy of ours is
 * who asks, and what stands before that anybody may have written. Where nobody has said which they are: this server
 * speaks no TLS, so where its pages are reached over https one proxy stands before it.
 */
function remoteAddressOf(
  { headers, ip }: FastifyRequest,
  address: string,
  isProxy: LinkDeps['isProxy'],
): string {
  const told = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
  const requester = isProxy
    ? [...told, ip].findLast((hop) => isIP(hop) === 0 || !isProxy(hop))
    : address.startsWith('https:') && told.at(-1)
  return requester && isIP(requester) > 0 ? requester : ip
}
