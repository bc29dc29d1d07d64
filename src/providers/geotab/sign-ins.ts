import { z } from 'zod'
import { type Clock, toInstant, toIso } from '../../time.ts'
import { answered } from '../answered.ts'
import type { Line } from '../call.ts'
import { checked } from '../checked.ts'
import type { ProviderCredentials, Renewal } from '../provider.ts'
import type { Signs } from '../signing.ts'
import { dialect } from './dialect.ts'
import { FIRST_SERVER, type UrlOf } from './servers.ts'

/** A session lasts about fourteen days; another is opened before. */
const SESSION_MS = 13 * 86_400_000

const session = z.looseObject({
  credentials: z.looseObject({
    database: z.string().min(1),
    userName: z.string().min(1),
    sessionId: z.string().min(1),
  }),
  path: z.string().min(1),
})

export const serverOf = ({ server }: ProviderCredentials): string => server || FIRST_SERVER

/** The password is kept, sealed as all credentials are: sessions end, and the next one takes it again. */
export const signInsOf = (line: Line, clock: Clock, urlOf: UrlOf): Renewal => ({
  endOf: ({ sessionId, expiresAt = '' }) => (sessionId === undefined ? 0 : toInstant(expiresAt)),
  async renew(credentials, signal) {
    const { database = '', userName = '', password = '' } = credentials
    const answer = await answered({
      ...line,
      url: new URL(`${urlOf(serverOf(credentials))}/apiv1`),
      request: {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ method: 'Authenticate', params: { database, userName, password } }),
      },
      secrets: [password],
      signal,
      dialect,
    })
    const { credentials: opened, path } = checked(session, answer)
    const server = path === 'ThisServer' ? serverOf(credentials) : path
    urlOf(server)
    const { sessionId } = opened
    const expiresAt = toIso(clock.now() + SESSION_MS)
    return { server, database: opened.database, userName: opened.userName, password, sessionId, expiresAt }
  },
})

/** A call says on whose behalf it is in its params, whatever else they say. */
export const signsWith =
  (urlOf: UrlOf) =>
  (held: ProviderCredentials): Signs => ({
    headers: { accept: 'application/json' },
    baseUrl: urlOf(serverOf(held)),
    bodyOf: (body) => signed(body, held),
  })

function signed(body: unknown, { database, userName, sessionId }: ProviderCredentials): unknown {
  if (!isObject(body)) return body
  const params = isObject(body['params']) ? body['params'] : {}
  return { ...body, params: { ...params, credentials: { database, userName, sessionId } } }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
