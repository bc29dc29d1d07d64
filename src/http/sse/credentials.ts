import type { FastifyRequest } from 'fastify'
import type { Credentials } from '../../auth/caller.ts'
import { PublicError } from '../../domain/errors.ts'
import { isSafe } from '../safe-methods.ts'
import { credentialsOf } from '../requests/request-credentials.ts'

const SESSION_TOKEN = /^ses_tkn_\S+$/

/**
 * Returns the credentials of a stream. A browser's EventSource cannot set headers. The URL of a GET may
 * therefore contain a session token, as `token` or `access_token`. Keys are not allowed there: browsers and
 * proxies store URLs.
 */
export function streamCredentialsOf(request: FastifyRequest): Credentials {
  const credentials = credentialsOf(request)
  if (!isSafe(request) || credentials.authorization !== undefined) return credentials
  const { token, access_token: accessToken } = request.query as Readonly<Record<string, unknown>>
  const tokenInUrl = accessToken ?? token
  if (typeof tokenInUrl !== 'string') return credentials
  if (SESSION_TOKEN.test(tokenInUrl)) return { ...credentials, authorization: `Bearer ${tokenInUrl}` }
  // In graphql-sse, `token` can also be the token of a reserved stream, which is not a credential.
  if (accessToken === undefined) return credentials
  throw new PublicError('unauthorized', 'The request is not authenticated.', {
    detail: 'Only session tokens are allowed in the URL. Send keys in the Authorization header.',
  })
}
