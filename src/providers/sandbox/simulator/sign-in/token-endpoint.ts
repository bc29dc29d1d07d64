import { createHash } from 'node:crypto'
import { type SimulatorResponse, json } from '../response.ts'
import { requireAvailable } from './users.ts'
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
/** Largest number of used codes in memory. Codes expire after a minute, so a dropped code has normally expired. */
const MAX_CODES = 10_000

/**
 * Creates the token endpoint. It exchanges codes with PKCE (RFC 6749 section 4.1.3, RFC 7636) and refreshes tokens
 * (RFC 6749 section 6). Its errors follow RFC 6749 section 5.2.
 */
export function createTokenEndpoint({ tokens, revocations, families, lifetimeMs }: TokenEndpointDeps) {
  /** Families of the used codes. Each code has a family of its own. */
  const usedCodes = new Set<string>()

  function issueTokens({ account, family }: Token, generation: number, nowMs: number): SimulatorResponse {
    const common = { account, family, generation, serial: tokens.nextSerial() }
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
    // A code is used up even if the exchange fails.
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
    /** Returns the account of the code or refresh token in a form, even if it is no longer valid; else empty. */
    accountOf: (form: URLSearchParams): string =>
      tokens.read(form.get('code') ?? form.get('refresh_token') ?? '')?.account ?? '',

    respond(form: URLSearchParams, account: string, nowMs: number): SimulatorResponse {
      requireAvailable(account)
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

function markUsed(usedCodes: Set<string>, family: string): void {
  usedCodes.add(family)
  const [oldest] = usedCodes
  if (usedCodes.size > MAX_CODES && oldest !== undefined) usedCodes.delete(oldest)
}
