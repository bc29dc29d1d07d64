import { parseUrl } from '../parse-url.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a redirect URL is allowed: a loopback URL, or one with a registered prefix. */
export function isRegistered(uri: string, prefixes: readonly string[]): boolean {
  const url = parseUrl(uri)
  if (!url || uri.includes('#')) return false
  const { protocol, hostname, href } = url
  if (!/^https?:$/.test(protocol)) return false
  return LOOPBACK.test(hostname) || prefixes.some((prefix) => hasPrefix(href, new URL(prefix).href))
}

/** Compares whole path segments: https://a.example/link is no prefix of https://a.example/linked. */
const hasPrefix = (href: string, prefix: string): boolean =>
  href.startsWith(prefix) && (prefix.endsWith('/') || /^([/?]|$)/.test(href.slice(prefix.length)))
