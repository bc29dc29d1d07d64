import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import { isBlockedPort } from './blocked-ports.ts'
import { addressSet, reservedKindOf } from './reserved-ips.ts'
import { parseUrl } from '../parse-url.ts'

/** Where requests may go. */
export interface OutboundRules {
  /** Ranges of addresses, private ones among them, that the operator permits: `10.1.0.0/16`, `127.0.0.1`. */
  readonly allowPrivate: readonly string[]
  /** Whether only https:// is permitted; addresses in `allowPrivate` may be spoken to by http:// all the same. */
  readonly requireHttps: boolean
  /** The setting in which they are permitted. */
  readonly permittedBy: string
}

/** The rules that the operator sets for webhooks. */
export const webhookRules = ({
  webhookAllow,
  webhookHttp,
}: Pick<Config, 'webhookAllow' | 'webhookHttp'>): OutboundRules => ({
  allowPrivate: webhookAllow,
  requireHttps: webhookHttp === 'off',
  permittedBy: 'WEBHOOK_ALLOW',
})

/** The rules that the operator sets for servers of fleets. */
export const providerRules = ({
  providerAllow,
  providerHttp,
}: Pick<Config, 'providerAllow' | 'providerHttp'>): OutboundRules => ({
  allowPrivate: providerAllow,
  requireHttps: providerHttp === 'off',
  permittedBy: 'PROVIDER_ALLOW',
})

/** Judges addresses and URLs by the rules; each answer is the reason for a refusal, or null. */
export interface SsrfGuard {
  /** What a URL says by itself. What its name stands for is asked, and judged, when it is connected to. */
  url(text: string): string | null
  addresses(host: string, addresses: readonly string[], protocol: string): string | null
}

const MAX_URL_LENGTH = 2_048

/** The reason why nothing is sent to a URL, as a sentence for who registers it; null where something may be. */
export const whyUrlRefused = (url: string, rules: OutboundRules): string | null =>
  createSsrfGuard(rules).url(url)

export function createSsrfGuard({ allowPrivate, requireHttps, permittedBy }: OutboundRules): SsrfGuard {
  const isAllowed = addressSet(allowPrivate)
  const refusedAddress = (address: string, protocol: string): string | null => {
    if (isAllowed(address)) return null
    const kind = reservedKindOf(address)
    if (kind) return `${kind}; the operator can permit it with ${permittedBy}`
    return protocol === 'http:' && requireHttps ? NOT_HTTPS : null
  }
  const addresses: SsrfGuard['addresses'] = (host, found, protocol) => {
    for (const address of found) {
      const refused = refusedAddress(address, protocol)
      if (refused) return refused === NOT_HTTPS ? refused : `${named(host, address)} is ${refused}`
    }
    return null
  }
  return {
    addresses,
    url(text) {
      if (text.length > MAX_URL_LENGTH) return `the URL is longer than ${MAX_URL_LENGTH} characters`
      const url = parseUrl(text)
      if (!url) return 'it is not a URL'
      const misshapen = shapeOf(url)
      if (misshapen) return misshapen
      const literal = addressIn(url)
      if (literal !== null) return addresses(url.hostname, [literal], url.protocol)
      // What a name stands for is not known yet; where no address may be spoken to by http:// it does not matter.
      return requireHttps && allowPrivate.length === 0 && url.protocol === 'http:' ? NOT_HTTPS : null
    },
  }
}

const NOT_HTTPS = 'the URL must start with https://'

const named = (host: string, address: string): string => (host === address ? host : `${host} (${address})`)

/** The address that a URL names in place of a host, however it was spelled; null where it names a host. */
function addressIn({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return bare
  return /(^|\.)localhost\.?$/.test(hostname) ? '127.0.0.1' : null
}

function shapeOf(url: URL): string | null {
  if (!/^https?:$/.test(url.protocol)) return 'the URL must start with https:// or http://'
  if (url.username || url.password) return 'the URL must not hold a user name or a password'
  if (url.href.includes('#')) return 'the URL must not have a fragment (#…)'
  if (url.port !== '' && isBlockedPort(Number(url.port))) return `port ${url.port} is not one of a web server`
  return null
}
