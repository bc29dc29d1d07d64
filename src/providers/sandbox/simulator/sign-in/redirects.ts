import { parseUrl } from '../parse-url.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a browser may be sent back to an address: one on its own machine, or one that was registered. */
export function isRegistered(uri: string, prefixes: readonly string[]): boolean {
  const url = parseUrl(uri)
  if (!url || uri.includes('#')) return false
  const { protocol, hostname, href } = url
  if (!/^https?:$/.test(protocol)) return false
  return LOOPBACK.test(hostname) || prefixes.some((prefix) => startsWith(href, new URL(prefix).href))
}

/** With whole names: https://a.example/link does not stand for https://a.example/linked. */
const startsWith = (href: string, prefix: string): boolean =>
  href.startsWith(prefix) && (prefix.endsWith('/') || /^([/?]|$)/.test(href.slice(prefix.length)))
