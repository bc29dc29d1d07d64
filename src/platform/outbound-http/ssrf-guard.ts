import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import { isBlockedPort } from './blocked-ports.ts'
import { addressSet, reservedKindOf } from './reserved-ips.ts'
import { parseUrl } from '../parse-url.ts'

/** Rules for the targets of outgoing requests. */
export interface OutboundRules {
  /** Address ranges that the operator permits, also private ones: `10.1.0.0/16`, `127.0.0.1`. */
  readonly allowPrivate: readonly string[]
  /** Whether https:// is required. Addresses in `allowPrivate` may use http:// anyway. */
  readonly requireHttps: boolean
  /** Setting that permits addresses; error messages name it. */
  readonly permittedBy: string
}

/** Returns the rules for webhooks. */
export const webhookRules = ({
  webhookAllow,
  webhookHttp,
}: Pick<Config, 'webhookAllow' | 'webhookHttp'>): OutboundRules => ({
  allowPrivate: webhookAllow,
  requireHttps: webhookHttp === 'off',
  permittedBy: 'WEBHOOK_ALLOW',
})

/** Returns the rules for servers of fleets. */
export const providerRules = ({
  providerAllow,
  providerHttp,
}: Pick<Config, 'providerAllow' | 'providerHttp'>): OutboundRules => ({
  allowPrivate: providerAllow,
  requireHttps: providerHttp === 'off',
  permittedBy: 'PROVIDER_ALLOW',
})

/** Checks addresses and URLs against the rules. The methods return the reason for a refusal, or null. */
export interface SsrfGuard {
  /** Checks the URL itself. The addresses of its host name are checked when a connection is opened. */
  url(text: string): string | null
  addresses(host: string, addresses: readonly string[], protocol: string): string | null
}

const MAX_URL_LENGTH = 2_048

/** Returns why a URL is refused, as a sentence for its owner; null if it is permitted. */
export const urlRefusalReason = (url: string, rules: OutboundRules): string | null =>
  createSsrfGuard(rules).url(url)

export function createSsrfGuard({ allowPrivate, requireHttps, permittedBy }: OutboundRules): SsrfGuard {
  const isAllowed = addressSet(allowPrivate)
  const addressRefusal = (address: string, protocol: string): string | null => {
    if (isAllowed(address)) return null
    const kind = reservedKindOf(address)
    if (kind) return `${kind}; the operator can permit it with ${permittedBy}`
    return protocol === 'http:' && requireHttps ? NOT_HTTPS : null
  }
  const addresses: SsrfGuard['addresses'] = (host, found, protocol) => {
    for (const address of found) {
      const refusal = addressRefusal(address, protocol)
      if (refusal) return refusal === NOT_HTTPS ? refusal : `${labelOf(host, address)} is ${refusal}`
    }
    return null
  }
  return {
    addresses,
    url(text) {
      if (text.length > MAX_URL_LENGTH) return `the URL is longer than ${MAX_URL_LENGTH} characters`
      const url = parseUrl(text)
      if (!url) return 'it is not a URL'
      const formProblem = formProblemOf(url)
      if (formProblem) return formProblem
      const literalAddress = addressIn(url)
      if (literalAddress !== null) return addresses(url.hostname, [literalAddress], url.protocol)
      // The addresses of a host name are not known yet. They do not matter if no address may use http://.
      return requireHttps && allowPrivate.length === 0 && url.protocol === 'http:' ? NOT_HTTPS : null
    },
  }
}

const NOT_HTTPS = 'the URL must start with https://'

const labelOf = (host: string, address: string): string => (host === address ? host : `${host} (${address})`)

/** Returns the literal address in a URL, in any spelling; null for a host name. */
function addressIn({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return bare
  return /(^|\.)localhost\.?$/.test(hostname) ? '127.0.0.1' : null
}

function formProblemOf(url: URL): string | null {
  if (!/^https?:$/.test(url.protocol)) return 'the URL must start with https:// or http://'
  if (url.username || url.password) return 'the URL must not contain a user name or a password'
  if (url.href.includes('#')) return 'the URL must not have a fragment (#…)'
  if (url.port !== '' && isBlockedPort(Number(url.port)))
    return `port ${url.port} is not a port of a web server`
  return null
}
