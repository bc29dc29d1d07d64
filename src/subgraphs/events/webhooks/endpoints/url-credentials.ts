import { invalidMember } from '../../../../domain/errors.ts'
import { parseUrl } from '../../../../platform/parse-url.ts'
import type { EndpointHeader } from '../webhook-header.ts'

interface UrlWithoutCredentials {
  readonly url: string
  /** Header that replaces the user name and the password. Null if the URL has none. */
  readonly authorization: EndpointHeader | null
}

/** Moves the user name and the password of a URL into a header, because the URL is stored and shown as it is. */
export function splitCredentials(text: string): UrlWithoutCredentials {
  const url = parseUrl(text)
  if (!url || (url.username === '' && url.password === '')) return { url: text, authorization: null }
  const credentials = `${userIn(url)}:${decoded(url.password)}`
  url.username = ''
  url.password = ''
  const value = `Basic ${Buffer.from(credentials).toString('base64')}`
  return { url: url.href, authorization: { name: 'authorization', value } }
}

/** In basic authentication, a colon ends the user name. */
function userIn({ username }: URL): string {
  const user = decoded(username)
  if (user.includes(':')) throw invalidMember('url', 'The user name in `url` must not contain a colon.')
  return user
}

function decoded(part: string): string {
  const text = percentDecoded(part)
  if (text !== null && !/\p{Cc}/u.test(text)) return text
  throw invalidMember(
    'url',
    'The user name and the password in `url` must be percent-encoded UTF-8 without control characters.',
  )
}

function percentDecoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
