import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'

/** Proxies whose X-Forwarded-For header is trusted. */
export interface TrustedProxies {
  /** Whether an IP address is that of a trusted proxy; null if no proxies are configured. */
  readonly isProxy: ((address: string) => boolean) | null
  /** Whether one proxy is trusted if none are configured. */
  readonly hasOneProxy: boolean
}

export const NO_PROXIES: TrustedProxies = { isProxy: null, hasOneProxy: false }

/**
 * Returns the IP address of the client. Each proxy appends the address of its client to X-Forwarded-For. The last
 * address that is not a trusted proxy is therefore the client. Earlier entries can be forged. An entry that is no
 * address ends the search: the proxy that added it then counts as the client.
 */
export function remoteAddressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { isProxy, hasOneProxy }: TrustedProxies,
): string {
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  const isTrusted = (address: string) => (isProxy ? isProxy(address) : hasOneProxy)
  let client = addressIn(socket.remoteAddress ?? '')
  for (const hop of isProxy ? hops.reverse() : hops.slice(-1)) {
    const next = addressIn(hop)
    if (client === null || next === null || !isTrusted(client)) break
    client = next
  }
  return client ?? ''
}

/** IPv4 address with an optional port. */
const IPV4 = /^([\d.]+)(?::\d*)?$/
/** IPv6 address in brackets with an optional port. */
const BRACKETED_IPV6 = /^\[([^\]]+)\](?::\d*)?$/

/** Returns the IP address in an entry, which may have quotes, a port and a zone; null if it has none. */
function addressIn(entry: string): string | null {
  const text = /^"(.*)"$/.exec(entry)?.[1] ?? entry
  const ipv4 = IPV4.exec(text)?.[1]
  if (ipv4 !== undefined) return isIPv4(ipv4) ? ipv4 : null
  const ipv6 = (BRACKETED_IPV6.exec(text)?.[1] ?? text).replace(/%.*/, '')
  return isIPv6(ipv6) ? unmapped(ipv6) : null
}

/** Returns the IPv4 address that an IPv6 address contains, if it is IPv4-mapped; else the same address. */
function unmapped(ipv6: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${ipv6}]`).hostname) ?? []
  if (high === undefined || low === undefined) return ipv6
  return [high, low]
    .map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/**
 * Returns an IPv4 address, or the 64-bit prefix of an IPv6 address: one client can use any address of its prefix.
 */
export function networkOf(address: string): string {
  const ip = addressIn(address) ?? address
  if (!isIPv6(ip)) return ip
  const [head = [], tail = []] = ip.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return groups.map((group) => parseInt(group, 16).toString(16)).join(':')
}
