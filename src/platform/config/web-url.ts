import { parseUrl } from '../parse-url.ts'
import { decoded, requireEncodedUser } from './server-url.ts'

/** Parsers of web URLs in settings. Their errors name the fault, without the password. */

/** Parses a URL to which paths are appended. Returns it without a trailing slash. */
export function parseBaseUrl(text: string): string {
  refuseUser(text)
  return parseCollectorUrl(text)
}

/** Parses the URL of a collector. Paths are appended to it, and its user and password are sent with each request. */
export function parseCollectorUrl(text: string): string {
  requireEncodedUser(text)
  const url = webUrl(text)
  if (/[?#]/.test(text))
    throw new Error('must not have a query (?) or a fragment (#): paths are appended to it')
  decoded(url.username + url.password)
  return url.href.replace(/\/+$/, '')
}

/** Parses a URL to which requests are sent as it is. */
export function parseEndpointUrl(text: string): string {
  refuseUser(text)
  webUrl(text)
  if (text.includes('#')) throw new Error('must not have a fragment (#)')
  return text
}

function webUrl(text: string): URL {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('must be a URL that starts with http:// or https://')
  return url
}

function refuseUser(text: string): void {
  if (text.includes('@')) throw new Error('must not have a user or a password (@)')
}
