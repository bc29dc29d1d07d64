import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** Media types of a GraphQL response that is not a stream. */
export const JSON_TYPES = ['application/json', 'application/graphql-response+json']

/** Parameter of a media type. Its value may be quoted. */
const PARAMETER = /;\s*([^\s;,=]*)(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,]*))?/g

/** Parameters that matter: the weight, and those that name a protocol, such as `subscriptionSpec`. */
const IS_SIGNIFICANT = /^(?:q|\w*spec)$/i

/**
 * Removes other parameters of media types, such as `charset` or `boundary`, from the Accept header. The service
 * ignores them, but neither the negotiation nor Apollo Server would accept a type that has them.
 */
export function dropAcceptParams({ headers }: FastifyRequest, _reply: unknown, done: () => void): void {
  if (headers.accept?.includes(';'))
    headers.accept = headers.accept.replaceAll(PARAMETER, (text, name: string) =>
      IS_SIGNIFICANT.test(name) ? text : '',
    )
  done()
}

/**
 * Returns the media type that a request prefers, by the weights in its Accept header. If the request has no
 * preference, returns the first available type. Undefined if it accepts none of them.
 */
export const preferredType = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  available: readonly string[],
): string | undefined => new Negotiator({ headers }).mediaType([...available])

/** Whether a request accepts a GraphQL response that is not a stream. */
export const acceptsJson = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  !request.headers.accept || preferredType(request, JSON_TYPES) !== undefined

/** Negotiator with the option `preferred`, which the types of the package do not declare. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[]
}

/**
 * Returns the encoding that a request prefers, by the weights in its Accept-Encoding header. Among equal weights
 * the order of `available` decides. If the request accepts none, returns `identity`, the uncompressed body, because an
 * error would be less useful to the client.
 */
export function preferredEncoding(
  { headers }: Pick<FastifyRequest, 'headers'>,
  available: readonly string[],
): string {
  const preferred = [...available, IDENTITY]
  const negotiator = new Negotiator({ headers }) as unknown as EncodingNegotiator
  return negotiator.encodings(preferred, { preferred })[0] ?? IDENTITY
}

const IDENTITY = 'identity'
