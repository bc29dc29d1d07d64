import type { FastifyRequest } from 'fastify'
import { PublicError } from '../domain/errors.ts'
import { isNestedTooDeeply, MAX_DEPTH } from './json-depth.ts'

const UTF8 = /^(?:utf-?8|us-ascii)$/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

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
