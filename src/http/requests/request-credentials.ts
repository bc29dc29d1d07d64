import type { FastifyRequest } from 'fastify'
import type { Credentials } from '../../auth/caller.ts'

/** Returns the credentials in the headers of a request. */
export const credentialsOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Credentials => ({
  authorization: headers.authorization,
  connectionToken: headers['connection-token']?.toString(),
})
