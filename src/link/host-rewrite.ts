import { parseUrl } from '../platform/parse-url.ts'

/** The probes of load balancers, which come by whatever name. */
const PROBES = /^\/(?:healthz|readyz)(?:[?]|$)/

/**
 * Puts the link pages at the root of an origin of their own: what is asked for by its host is looked for under /link.
 * Where the link pages have no such origin, every path stays as it is.
 */
export function rewriteLinkHost(
  linkUrl: string | undefined,
): (url: string, host: string | undefined) => string {
  const root = linkUrl === undefined ? null : new URL(linkUrl)
  if (!root || root.pathname !== '/') return (url) => url
  return (url, host) => (matchesHost(host, root) && !PROBES.test(url) ? `/link${url}` : url)
}

/** Whether a request that names a host means an address, with or without the port that goes without saying. */
export function matchesHost(host: string | undefined, address: string | URL): boolean {
  const { protocol, host: its } = new URL(address)
  return host !== undefined && parseUrl(`${protocol}//${host}`)?.host === its
}
