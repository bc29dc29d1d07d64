import type { FastifyRequest } from 'fastify'
import { PublicError } from '../domain/errors.ts'

const UTF8 = /^(?:utf-?8|us-ascii)$/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Maximum nesting of objects and lists. Recursive code would exhaust the stack on much deeper bodies. */
const MAX_DEPTH = 500

/**
 * Decodes a JSON body. Accepts a byte order mark. Throws for compressed bodies, for other encodings and for
 * invalid bytes, because decoding them as UTF-8 would store replacement characters.
 */
export function decodeJsonBody({ headers }: Pick<FastifyRequest, 'headers'>, bytes: Buffer): string {
  const compression = headers['content-encoding'] ?? 'identity'
  if (compression.toLowerCase() !== 'identity')
    throw new PublicError('unsupported_media_type', 'Send the body without compression.')
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (!UTF8.test(charset)) throw new PublicError('unsupported_media_type', 'Send application/json in UTF-8.')
  const text = decodeUtf8(bytes)
  if (isNestedTooDeeply(text)) throw badBody(`The body is nested deeper than ${MAX_DEPTH} levels.`)
  return text
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw badBody('The body is not valid UTF-8.', cause)
  }
}

const badBody = (message: string, cause?: unknown) =>
  new PublicError('bad_request', message, { detail: [{ message, path: '{requestBody}' }], cause })

const OPENING = new Set(['{', '['])
const CLOSING = new Set(['}', ']'])

function isNestedTooDeeply(json: string): boolean {
  if (json.length <= 2 * MAX_DEPTH) return false
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at] as string
    if (character === '"') at = endOfString(json, at)
    else if (OPENING.has(character)) depth += 1
    else if (CLOSING.has(character)) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** Returns the index of the closing quote of a string; the length of the text if there is none. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
