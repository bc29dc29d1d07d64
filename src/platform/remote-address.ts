import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

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
 * address that is not a trusted proxy is therefore the client. Earlier entries can be forged.
 */
export function remoteAddressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { isProxy, hasOneProxy }: TrustedProxies,
): string {
  const ip = socket.remoteAddress ?? ''
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
  const requester = isProxy
    ? [...hops, ip].findLast((hop) => isIP(hop) === 0 || !isProxy(hop))
    : hasOneProxy && hops.at(-1)
  return requester && isIP(requester) > 0 ? requester : ip
}

/**
 * Returns an IPv4 address, or the 64-bit prefix of an IPv6 address: one client can use any address of its prefix.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mappedIPv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mappedIPv4 !== undefined) return mappedIPv4
  const [head = [], tail = []] = address
    .replace(/%.*/, '')
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return groups.map((group) => parseInt(group, 16).toString(16)).join(':')
}
