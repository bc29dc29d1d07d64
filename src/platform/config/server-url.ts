import { parseUrl } from '../parse-url.ts'

/** Parts of the URL of a server, decoded. */
interface ServerUrl {
  readonly protocol: string
  readonly user: string
  readonly password: string
  /** Without the brackets of an IPv6 address. */
  readonly host: string
  /** Null if the URL names none. */
  readonly port: number | null
  /** Without the first slash. */
  readonly path: string
  readonly parameters: URLSearchParams
}

/** Parses the URL of a server. The error for an invalid URL names the fault, without the password. */
export function parseServerUrl(text: string, protocols: readonly string[]): ServerUrl {
  const url = parseUrl(text)
  const starts = protocols.map((protocol) => `${protocol}//`)
  if (!url || !starts.some((start) => text.trim().toLowerCase().startsWith(start)))
    throw new Error(`must be a URL that starts with ${starts.join(' or ')}`)
  if (text.includes('#')) throw new Error('must not have a fragment (#)')
  return {
    protocol: url.protocol,
    user: decoded(url.username),
    password: decoded(url.password),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? null : Number(url.port),
    path: decoded(url.pathname.slice(1)),
    parameters: url.searchParams,
  }
}

/**
 * Throws if the user or the password of a URL contains a character that ends it. Such a URL can be valid, but its host
 * is another one, and its path contains a part of the password.
 */
export function requireEncodedUser(text: string): void {
  const [start = '', ...rest] = text.split('@')
  const endsEarly = /[/?#]/.test(start.replace(/^[^/]*\/\//, ''))
  if (rest.length > 1 || (rest.length === 1 && endsEarly))
    throw new Error(
      'the user or the password contains / ? # or @, which must be written as %2F, %3F, %23 and %40',
    )
}

/** Throws if a `%` starts no percent-encoding. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('a % in the user, the password or the path must be written as %25')
  }
}
