import type { FastifyRequest } from 'fastify'
import type { Credentials } from '../../auth/caller.ts'
import { PublicError } from '../../domain/errors.ts'
import { credentialsOf } from '../request-credentials.ts'

const SESSION_TOKEN = /^ses_tkn_\S+$/

/**
 * The credentials of a stream. A browser's EventSource sets no headers, so for a GET a session token may stand in the
 * address, as `token` or `access_token`. No key may: addresses are kept by browsers and by what is between.
 */
export function streamCredentialsOf(request: FastifyRequest): Credentials {
  const credentials = credentialsOf(request)
  if (request.method !== 'GET' || credentials.authorization !== undefined) return credentials
  const { token, access_token: accessToken } = request.query as Readonly<Record<string, unknown>>
  const given = accessToken ?? token
  if (typeof given !== 'string') return credentials
  if (SESSION_TOKEN.test(given)) return { ...credentials, authorization: `Bearer ${given}` }
  // By `token` graphql-sse also names a stream that was reserved.
  if (accessToken === undefined) return credentials
  throw new PublicError('unauthorized', 'The request is not authenticated.', {
    detail: 'Only a session token may stand in the address: send a key in the Authorization header.',
  })
}
