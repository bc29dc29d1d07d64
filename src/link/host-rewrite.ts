import { matchesHost } from '../platform/parse-url.ts'

/** Health probes. Load balancers send any host name with them, so their paths stay unchanged on every host. */
const PROBES = /^\/(?:healthz|readyz)(?:[?]|$)/

/**
 * Returns a function that rewrites URLs before routing. If the link pages have their own origin, it puts /link before
 * the paths on that host, so that the pages are at its root. Otherwise it changes nothing.
 */
export function rewriteLinkHost(
  linkUrl: string | undefined,
): (url: string, host: string | undefined) => string {
  const root = linkUrl === undefined ? null : new URL(linkUrl)
  if (!root || root.pathname !== '/') return (url) => url
  return (url, host) => (matchesHost(host, root) && !PROBES.test(url) ? `/link${url}` : url)
}
