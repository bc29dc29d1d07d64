import type { IncomingMessage } from 'node:http'
import { keyOf, requireValidKey } from '../accounts.ts'
import { type SimulatorResponse, json } from '../response.ts'
import { textOf } from '../echo.ts'
import type { Options } from '../options.ts'
import { badRequest, HttpError } from '../http-error.ts'
import { authorize } from './authorize.ts'
import { createRefreshTokenFamilies } from './refresh-token-families.ts'
import { createTokenEndpoint } from './token-endpoint.ts'
import { createRevocations } from './revocations.ts'
import { createTokens, isToken } from './tokens.ts'
import { requireUser } from './users.ts'

/** Caller of a request: an API key, an access token or a session. */
export interface Bearer {
  /** Name of the caller's account: its API key or its user name. Empty without a header, or for an invalid token. */
  readonly account: string
  /** Throws if the credentials are not valid at `nowMs`. */
  requireValid(nowMs: number): void
}

/** A sign-in request with its handler. */
export interface SignIn {
  /** Account that the request names, or empty. Request counts and injected faults are per account. */
  readonly account: string
  respond(nowMs: number): SimulatorResponse
}

type SignInOptions = Pick<
  Options,
  'seed' | 'tokenSeconds' | 'refreshGraceSeconds' | 'keepsReusedConsent' | 'redirectPrefix'
>

/** Creates the sign-ins that issue tokens: user with password, and OAuth 2. An API key needs none. */
export function createSignIns(options: SignInOptions) {
  const tokens = createTokens(options.seed)
  const revocations = createRevocations()
  const families = createRefreshTokenFamilies(options.refreshGraceSeconds * 1000, options.keepsReusedConsent)
  const lifetimeMs = options.tokenSeconds * 1000
  const tokenEndpoint = createTokenEndpoint({ tokens, revocations, families, lifetimeMs })
  const redirectPrefixes = options.redirectPrefix === '' ? [] : [options.redirectPrefix]

  function createSession(account: string, nowMs: number): SimulatorResponse {
    if (revocations.isRevoked(account)) throw new HttpError(401, 'The user or the password is wrong')
    const expiresMs = nowMs + lifetimeMs
    const token = { account, expiresMs, family: '', generation: 0, serial: tokens.nextSerial() } as const
    return json(200, {
      session: tokens.write({ ...token, kind: 'session' }),
      expiresAt: new Date(expiresMs).toISOString(),
    })
  }

  const paths: Readonly<Record<string, (method: string, query: URLSearchParams, body: string) => SignIn>> = {
    'POST /sessions'(_method, _query, body) {
      const { user, password } = credentialsIn(body)
      return {
        account: user,
        respond(nowMs) {
          requireUser(user, password)
          return createSession(user, nowMs)
        },
      }
    },
    'GET /oauth/authorize': (method, query) => ({
      account: '',
      respond: (nowMs) => authorize({ tokens, redirectPrefixes, nowMs }, method, query),
    }),
    'POST /oauth/authorize'(method, _query, body) {
      const form = new URLSearchParams(body)
      return {
        account: form.get('user') ?? '',
        respond: (nowMs) => authorize({ tokens, redirectPrefixes, nowMs }, method, form),
      }
    },
    'POST /oauth/token'(_method, _query, body) {
      const form = new URLSearchParams(body)
      const account = tokenEndpoint.accountOf(form)
      return { account, respond: (nowMs) => tokenEndpoint.respond(form, account, nowMs) }
    },
  }

  return {
    /** Returns the sign-in request; null if the path is that of another request. */
    async match(request: IncomingMessage, { pathname, searchParams }: URL): Promise<SignIn | null> {
      const { method = 'GET' } = request
      const handler = paths[`${method} ${pathname}`]
      return handler ? handler(method, searchParams, method === 'GET' ? '' : await textOf(request)) : null
    },

    /** Returns the caller of an Authorization header. */
    bearer(authorization: string | undefined): Bearer {
      const keyOrToken = keyOf(authorization)
      if (!isToken(keyOrToken)) return { account: keyOrToken, requireValid: () => requireKey(keyOrToken) }
      const token = tokens.read(keyOrToken)
      const isUsable = token?.kind === 'access' || token?.kind === 'session'
      return {
        account: token?.account ?? '',
        requireValid(nowMs) {
          if (!isUsable || !revocations.isValid(token, nowMs) || families.isRevoked(token))
            throw new HttpError(401, 'The token is invalid or expired')
        },
      }
    },

    // The test controls call these two.
    setRevoked: revocations.setRevoked,
    endTokens: (account: string, which: 'access' | 'all') =>
      revocations.endTokens(account, which, tokens.nextSerial()),
  }

  function requireKey(key: string): void {
    requireValidKey(key)
    if (revocations.isRevoked(key)) throw new HttpError(401, 'This API key was revoked')
  }
}

export type SignIns = ReturnType<typeof createSignIns>

function credentialsIn(body: string): { user: string; password: string } {
  try {
    const { user, password } = JSON.parse(body) as { user?: unknown; password?: unknown }
    if (typeof user === 'string' && typeof password === 'string') return { user, password }
  } catch {
    // The error below refuses it, like any other body without the two texts.
  }
  throw badRequest('Send user and password as a JSON object')
}
