import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { matchesHost, parseUrl } from '../platform/parse-url.ts'

/** Origins whose pages may use the API from a browser: exact origins, or `*` for any. */
export type AllowedOrigins = readonly string[]

const ANY = '*'

/**
 * Enables CORS for the allowed origins. The service ignores its cookie in requests of other origins, so credentials stay
 * disallowed. A page of an allowed origin may send any header, because clients and tracing libraries add their own.
 */
export async function mountCors(app: FastifyInstance, allowed: AllowedOrigins): Promise<void> {
  if (allowed.length === 0) return
  await app.register(cors, {
    origin: allowed.includes(ANY)
      ? ANY
      : (origin, done) => done(null, origin && isAllowed(origin, allowed) ? origin : [...allowed]),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'x-request-id',
      'x-query-cost',
      'x-max-limit',
      'retry-after',
      'idempotent-replayed',
      'ratelimit',
      'ratelimit-policy',
    ],
    maxAge: 600,
    // Otherwise an OPTIONS request that is not a preflight would get an error.
    strictPreflight: false,
  })
}

/**
 * Whether a page may open a websocket: a page of this host or of an allowed origin. CORS does not cover
 * websockets, so the server checks the Origin header. Clients other than browsers send no Origin and are
 * allowed.
 */
export function mayConnect({ headers }: Pick<IncomingMessage, 'headers'>, allowed: AllowedOrigins): boolean {
  const { origin, host } = headers
  return origin === undefined || isAllowed(origin, allowed) || matchesHost(host, origin)
}

/** Whether an origin is allowed. Clients other than browsers may write it with its default port or in capitals. */
const isAllowed = (origin: string, allowed: AllowedOrigins): boolean =>
  allowed.includes(ANY) || allowed.includes(parseUrl(origin)?.origin ?? '')
