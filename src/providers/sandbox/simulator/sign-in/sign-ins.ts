import type { IncomingMessage } from 'node:http'
import { keyOf, requireValid } from '../accounts.ts'
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
  /** API key of the caller's account, which identifies the account for every kind of sign-in. */
  readonly account: string
  /** Throws if the credentials are not valid now. */
  require(nowMs: number): void
}

/** A sign-in request: its account, and its handler. */
export interface SignIn {
  readonly account: string
  respond(nowMs: number): SimulatorResponse
}

type SignInOptions = Pick<Options, 'seed' | 'tokenSeconds' | 'refreshGraceSeconds' | 'redirectPrefix'>

/** Creates the sign-ins besides the API key: user with password, and OAuth 2. */
export function createSignIns(options: SignInOptions) {
  const tokens = createTokens(options.seed)
  const revocations = createRevocations()
  const families = createRefreshTokenFamilies(options.refreshGraceSeconds * 1000)
  const lifetimeMs = options.tokenSeconds * 1000
  const tokenEndpoint = createTokenEndpoint({ tokens, revocations, families, lifetimeMs })
  const redirectPrefixes = options.redirectPrefix === '' ? [] : [options.redirectPrefix]

  function session(account: string, nowMs: number): SimulatorResponse {
    if (revocations.isRevoked(account)) throw new HttpError(401, 'The user or the password is wrong')
    const expiresMs = nowMs + lifetimeMs
    const token = { account, expiresMs, family: '', generation: 0, serial: tokens.serial() } as const
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
          return session(user, nowMs)
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
    /** Returns the sign-in request; null if the request is not one. */
    async match(request: IncomingMessage, { pathname, searchParams }: URL): Promise<SignIn | null> {
      const { method = 'GET' } = request
      const handler = paths[`${method} ${pathname}`]
      return handler ? handler(method, searchParams, method === 'GET' ? '' : await textOf(request)) : null
    },

    bearer(authorization: string | undefined): Bearer {
      const text = keyOf(authorization)
      if (!isToken(text)) return { account: text, require: () => requireKey(text) }
      const token = tokens.read(text)
      const isUsable = token?.kind === 'access' || token?.kind === 'session'
      return {
        account: token?.account ?? '',
        require(nowMs) {
          if (!isUsable || !revocations.isValid(token, nowMs) || families.isRevoked(token))
            throw new HttpError(401, 'The token is invalid or expired')
        },
      }
    },

    /** For the test controls. */
    setRevoked: revocations.setRevoked,
    end: (account: string, which: 'access' | 'all') => revocations.end(account, which, tokens.serial()),
  }

  function requireKey(key: string): void {
    requireValid(key)
    if (revocations.isRevoked(key)) throw new HttpError(401, 'This API key was revoked')
  }
}

export type SignIns = ReturnType<typeof createSignIns>

function credentialsIn(body: string): { user: string; password: string } {
  try {
    const { user, password } = JSON.parse(body) as { user?: unknown; password?: unknown }
    if (typeof user === 'string' && typeof password === 'string') return { user, password }
  } catch {
    // Refused below, like any other body that is not an object.
  }
  throw badRequest('Send user and password as a JSON object')
}
