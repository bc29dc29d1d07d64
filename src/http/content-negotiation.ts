import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** Media types of a GraphQL response that is not a stream. */
export const JSON_TYPES = ['application/json', 'application/graphql-response+json']

/**
 * Returns the media type that a request prefers, by the weights in its Accept header. If the request has no
 * preference, returns the first available type. Undefined if it accepts none of them.
 */
export const preferredType = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  available: readonly string[],
): string | undefined => new Negotiator({ headers }).mediaType([...available])
