import { matchesHost } from '../platform/parse-url.ts'

/** Health probes. Load balancers send any host name with them, so their paths stay unchanged on every host. */
const PROBES = /^\/(?:healthz|readyz)(?:[?]|$)/

/** Addresses at which browser SDKs open the link pages, at the root of whatever origin they are given. */
const SDK_ADDRESSES = /^\/(?:\?(?:.*&)?key=|connection\/)/

/**
 * Returns a function that rewrites URLs before routing: it puts /link before the paths of link pages that are at the
 * root of an origin. If the link pages have their own origin, those are all paths on that host. On any other host
 * they are the addresses of browser SDKs.
 */
export function rewriteLinkUrl(
  linkUrl: string | undefined,
): (url: string, host: string | undefined) => string {
  const root = linkUrl === undefined ? null : new URL(linkUrl)
  const isLinkHost = (host: string | undefined) => root?.pathname === '/' && matchesHost(host, root)
  return (url, host) => {
    const isLinkPage = isLinkHost(host) ? !PROBES.test(url) : SDK_ADDRESSES.test(url)
    return isLinkPage ? `/link${url}` : url
  }
}
