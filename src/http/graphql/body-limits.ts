import type { FastifyRequest } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import { isNestedDeeper } from '../../platform/json-depth.ts'
import { MAX_DEPTH } from '../bodies/json-body.ts'

const MAX_BYTES = 100 * 1024

/** Body limit of the route. It permits one string of 1 MiB, whose size JSON escaping can double. */
export const MAX_BYTES_WITH_TEXT = 2 * 1024 * 1024 + MAX_BYTES

/**
 * Rejects GraphQL requests larger than 100 KiB, not counting the longest string of the variables. That string
 * can be the body of a passthrough request to a provider. A long string costs little processing time, but a long
 * document or list costs much.
 */
export function enforceBodyLimit(
  request: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void {
  if (!isTooLarge(request)) return done()
  const message = 'The body is larger than 100 KiB, not counting the longest string in its variables.'
  done(new PublicError('payload_too_large', message))
}

/** Rejects GraphQL parameters in a URL that are nested too deeply. Bodies are checked when they are decoded. */
export function enforceUrlDepth(
  { query }: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void {
  const { variables, extensions } = query as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries({ variables, extensions }))
    if (isNestedDeeper(String(value), MAX_DEPTH))
      return done(new PublicError('bad_request', `\`${name}\` is nested deeper than ${MAX_DEPTH} levels.`))
  done()
}

function isTooLarge({ headers, body }: FastifyRequest): boolean {
  if (Number(headers['content-length'] ?? Infinity) <= MAX_BYTES) return false
  return sizeOf(body) - sizeOf(longestStringIn((body as Body)?.variables)) > MAX_BYTES
}

type Body = { readonly variables?: unknown } | null | undefined

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

function longestStringIn(variables: unknown): string {
  let longest = ''
  JSON.stringify(variables, (_name, value: unknown) => {
    if (typeof value === 'string' && value.length > longest.length) longest = value
    return value
  })
  return longest
}
