import { createHash } from 'node:crypto'
import { type SimulatorResponse, json } from '../response.ts'
import { requireServed } from './users.ts'
import type { RefreshTokenFamilies } from './refresh-token-families.ts'
import type { Revocations } from './revocations.ts'
import type { Token, Tokens } from './tokens.ts'

interface TokenEndpointDeps {
  readonly tokens: Tokens
  readonly revocations: Revocations
  readonly families: RefreshTokenFamilies
  /** Lifetime of access tokens. */
  readonly lifetimeMs: number
}

const REFRESH_TOKEN_MS = 400 * 86_400_000
/** Largest number of used codes in memory. Codes are short-lived, so dropped codes have expired. */
const MAX_CODES = 10_000

/**
 * Creates the token endpoint: code exchange with PKCE (RFC 6749 4.1.3, RFC 7636) and refresh (RFC 6749 6).
 * Errors follow RFC 6749 5.2.
 */
export function createTokenEndpoint({ tokens, revocations, families, lifetimeMs }: TokenEndpointDeps) {
  const usedCodes = new Set<string>()

  function issueTokens({ account, family }: Token, generation: number, nowMs: number): SimulatorResponse {
    const common = { account, family, generation, serial: tokens.serial() }
    return json(
      200,
      {
        access_token: tokens.write({ ...common, kind: 'access', expiresMs: nowMs + lifetimeMs }),
        token_type: 'bearer',
        expires_in: Math.round(lifetimeMs / 1000),
        refresh_token: tokens.write({
          ...common,
          kind: 'refresh',
          expiresMs: nowMs + REFRESH_TOKEN_MS,
        }),
        user: account,
      },
      NO_STORE,
    )
  }

  function exchange(form: URLSearchParams, nowMs: number): SimulatorResponse {
    const code = tokens.read(form.get('code') ?? '')
    if (code?.kind !== 'code' || !revocations.isValid(code, nowMs))
      return invalidGrant('The code is unknown or expired')
    if (usedCodes.has(code.family)) {
      families.revoke(code)
      return invalidGrant('The code was already used')
    }
    // A failed exchange uses the code too.
    markUsed(usedCodes, code.family)
    if (code.redirectUri !== form.get('redirect_uri'))
      return invalidGrant('The code is for another redirect_uri')
    if (code.clientId !== form.get('client_id')) return invalidGrant('The code is for another client')
    if (code.challenge !== challengeOf(form.get('code_verifier') ?? ''))
      return invalidGrant('The code_verifier does not match the code_challenge')
    return issueTokens(code, 0, nowMs)
  }

  function refresh(form: URLSearchParams, nowMs: number): SimulatorResponse {
    const token = tokens.read(form.get('refresh_token') ?? '')
    const isValid = token?.kind === 'refresh' && revocations.isValid(token, nowMs)
    const generation = isValid ? families.next(token, nowMs) : null
    if (!token || generation === null)
      return invalidGrant('The refresh token is invalid, expired or already used')
    return issueTokens(token, generation, nowMs)
  }

  return {
    /** Returns the account of the code or refresh token, even if it is no longer valid. */
    accountOf: (form: URLSearchParams): string =>
      tokens.read(form.get('code') ?? form.get('refresh_token') ?? '')?.account ?? '',

    respond(form: URLSearchParams, account: string, nowMs: number): SimulatorResponse {
      requireServed(account)
      switch (form.get('grant_type')) {
        case 'authorization_code':
          return exchange(form, nowMs)
        case 'refresh_token':
          return refresh(form, nowMs)
        default:
          return errorResponse('unsupported_grant_type', 'Send authorization_code or refresh_token')
      }
    },
  }
}

export type TokenEndpoint = ReturnType<typeof createTokenEndpoint>

const NO_STORE = { 'Cache-Control': 'no-store' }

const errorResponse = (error: string, description: string): SimulatorResponse =>
  json(400, { error, error_description: description }, NO_STORE)

const invalidGrant = (description: string): SimulatorResponse => errorResponse('invalid_grant', description)

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

function markUsed(usedCodes: Set<string>, code: string): void {
  usedCodes.add(code)
  const [oldest] = usedCodes
  if (usedCodes.size > MAX_CODES && oldest !== undefined) usedCodes.delete(oldest)
}
