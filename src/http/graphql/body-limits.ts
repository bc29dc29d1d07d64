import type { FastifyRequest } from 'fastify'
import { PublicError } from '../../domain/errors.ts'

const MAX_BYTES = 100 * 1024

/** One text of 1 MiB, in which JSON escapes every other character, and what stands around it. */
export const MAX_BYTES_WITH_TEXT = 2 * 1024 * 1024 + MAX_BYTES

/**
 * Refuses a request of GraphQL that is larger than 100 KiB, beside the longest text of its variables: that is what is
 * passed through to a provider. Documents and lists would cost more the longer they are; a text does not.
 */
export function enforceBodyLimit(
  request: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void {
  if (!isTooLarge(request)) return done()
  const message = 'The body is larger than 100 KiB, beside the longest text of its variables.'
  done(new PublicError('payload_too_large', message))
}

function isTooLarge({ headers, body }: FastifyRequest): boolean {
  if (Number(headers['content-length'] ?? Infinity) <= MAX_BYTES) return false
  return sizeOf(body) - sizeOf(longestTextIn((body as Body)?.variables)) > MAX_BYTES
}

type Body = { readonly variables?: unknown } | null | undefined

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

function longestTextIn(variables: unknown): string {
  let longest = ''
  JSON.stringify(variables, (_name, value: unknown) => {
    if (typeof value === 'string' && value.length > longest.length) longest = value
    return value
  })
  return longest
}
