import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { languageIn, likedLanguage } from './language.ts'
import { isHostOf } from './root.ts'
import type { Language } from './view.ts'

/** What a request to the link pages tells beside its path. */
export interface Visit {
  readonly query: URLSearchParams
  /** What the paths of the pages begin with where the browser is: `/link`, or nothing at the root of an origin. */
  readonly base: string
  /** The address of the link pages, as providers and agreements name it. */
  readonly address: string
  /** What the pages of a new run begin with: the address where the browser is at another one. */
  readonly home: string
  readonly language: Language
  /** The language that was asked for in the address. */
  readonly asked: Language | null
  /** Whether the page is in a frame; null where the browser does not tell. */
  readonly isFramed: boolean | null
  /** The origin of the page that led here, where the browser tells. */
  readonly cameFrom: string | null
}

const FRAMES = new Set(['iframe', 'frame', 'embed', 'object'])

/** `address` is where the link pages are said to be; null where nobody has said. */
export function visitOf(request: FastifyRequest, address: string | null): Visit {
  const { headers, host, protocol } = request
  const query = new URL(request.url, 'http://path').searchParams
  const isThere = address !== null && isHostOf(host, address)
  const base = isThere ? new URL(address).pathname.replace(/\/$/, '') : '/link'
  const asked = languageIn(query)
  const dest = headers['sec-fetch-dest']
  return {
    query,
    base,
    address: address ?? `${protocol}://${host}${base}`,
    home: isThere ? base : (address ?? base),
    asked,
    language: asked ?? likedLanguage(headers['accept-language']),
    isFramed: dest === 'document' ? false : FRAMES.has(String(dest)) ? true : null,
    cameFrom: originOf(headers.referer),
  }
}

export const originOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : null

/** Whether a form was sent by a page of another site. What is no browser tells nothing. */
export function isForeign({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

/**
 * Where a request comes from. This server speaks no TLS: where its pages are reached over https, a proxy stands before
 * it, and what that adds to X-Forwarded-For is last.
 */
export function addressOf({ headers, ip }: FastifyRequest, { address }: Pick<Visit, 'address'>): string {
  const told = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return address.startsWith('https:') && told && isIP(told) > 0 ? told : ip
}
