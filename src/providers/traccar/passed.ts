import type { PassedRequest } from '../api.ts'

const SIGNS_IN =
  'What is under /session, /share and /password at Traccar signs somebody in: it is not passed on.'
const SETS_PASSWORD =
  'A user is passed on to Traccar as an object in JSON, without `password`, `token` and `totpKey`.'

const SIGNING_IN = new Set(['session', 'share', 'password'])
const CREDENTIALS = new Set(['password', 'token', 'totpkey'])

/**
 * Why a request is not passed to Traccar. What it hands out or sets there would outlive the connection: tokens, shared
 * devices, which are signed in to with a token, and passwords.
 */
export function refusalOf({ path, body }: PassedRequest): string | null {
  const words = wordsIn(path)
  if (!words || words.some((word) => SIGNING_IN.has(word))) return SIGNS_IN
  return words.includes('users') && body !== null && !isWithoutCredentials(body) ? SETS_PASSWORD : null
}

/** The words of a path as whichever server or gateway may come to read them; null where nobody can tell how. */
function wordsIn(path: string): string[] | null {
  const place = unescaped(path.split('?', 1)[0] as string)
  // What begins with ; belongs to a word as its matrix parameters do (RFC 3986, 3.3).
  return (
    place?.split(/[/\\]/).map((part) =>
      part
        .replace(/[;?#].*$/s, '')
        .replace(EDGES, '')
        .toLowerCase(),
    ) ?? null
  )
}

const EDGES = /^[\s\0.]+|[\s\0.]+$/g

/** Also what was escaped more than once. */
function unescaped(text: string): string | null {
  try {
    for (let last = ''; last !== text;) [last, text] = [text, decodeURIComponent(text)]
    return text
  } catch {
    return null
  }
}

function isWithoutCredentials(body: string): boolean {
  try {
    const user: unknown = JSON.parse(body)
    if (typeof user !== 'object' || user === null || Array.isArray(user)) return false
    return !Object.keys(user).some((name) => CREDENTIALS.has(name.toLowerCase()))
  } catch {
    return false
  }
}
