import type { FastifyRequest } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import { isNestedDeeper } from '../../platform/json-depth.ts'

const UTF8 = /^(?:utf-?8|us-ascii)$/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Maximum nesting of JSON in requests. Recursive code would exhaust the stack on much deeper values. */
export const MAX_DEPTH = 500

/**
 * Decodes a JSON body. Accepts a byte order mark. Throws for compressed bodies, for other encodings and for
 * invalid bytes, because decoding them as UTF-8 would store replacement characters.
 */
export function decodeJsonBody({ headers }: Pick<FastifyRequest, 'headers'>, bytes: Buffer): string {
  const codings = (headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  if (!codings.every((coding) => coding === '' || coding === 'identity'))
    throw new PublicError('unsupported_media_type', 'Send the body without compression.')
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (!UTF8.test(charset)) throw new PublicError('unsupported_media_type', 'Send application/json in UTF-8.')
  const text = decodeUtf8(bytes)
  if (isNestedDeeper(text, MAX_DEPTH)) throw badBody(`The body is nested deeper than ${MAX_DEPTH} levels.`)
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

export const badBody = (message: string, cause?: unknown) =>
  new PublicError('bad_request', message, { detail: [{ message, path: '{requestBody}' }], cause })
