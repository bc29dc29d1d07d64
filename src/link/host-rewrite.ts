import { parseUrl } from '../platform/parse-url.ts'

/** Probes of load balancers, which may send any host name. */
const PROBES = /^\/(?:healthz|readyz)(?:[?]|$)/

/**
 * Serves the link pages at the root of their own origin: rewrites the paths of requests for its host to
 * /link. Without such an origin all paths stay unchanged.
 */
export function rewriteLinkHost(
  linkUrl: string | undefined,
): (url: string, host: string | undefined) => string {
  const root = linkUrl === undefined ? null : new URL(linkUrl)
  if (!root || root.pathname !== '/') return (url) => url
  return (url, host) => (matchesHost(host, root) && !PROBES.test(url) ? `/link${url}` : url)
}

/** Whether the host of a request matches a URL, with or without the default port. */
export function matchesHost(host: string | undefined, address: string | URL): boolean {
  const { protocol, host: expectedHost } = new URL(address)
  return host !== undefined && parseUrl(`${protocol}//${host}`)?.host === expectedHost
}
