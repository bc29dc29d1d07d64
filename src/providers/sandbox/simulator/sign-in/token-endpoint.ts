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
  /** How long access tokens are good. */
  readonly lifetimeMs: number
}

const FOR_EVER_MS = 400 * 86_400_000
/** Codes are short-lived: those that are forgotten have expired. */
const MAX_CODES = 10_000

/** The token endpoint: RFC 6749 4.1.3 with the verifier of RFC 7636, and 6. Errors are those of 5.2. */
export function createTokenEndpoint({ tokens, revocations, families, lifetimeMs }: TokenEndpointDeps) {
  const spent = new Set<string>()

  function issued({ account, family }: Token, generation: number, nowMs: number): SimulatorResponse {
    const common = { account, family, generation, serial: tokens.serial() }
    return json(
      200,
      {
        access_token: tokens.write({ ...common, kind: 'access', expiresMs: nowMs + lifetimeMs }),
        token_type: 'bearer',
        expires_in: Math.round(lifetimeMs / 1000),
        refresh_token: tokens.write({ ...common, kind: 'refresh', expiresMs: nowMs + FOR_EVER_MS }),
        user: account,
      },
      NOT_KEPT,
    )
  }

  function exchange(form: URLSearchParams, nowMs: number): SimulatorResponse {
    const code = tokens.read(form.get('code') ?? '')
    if (code?.kind !== 'code' || !revocations.isGood(code, nowMs))
      return noGood('The code is not known, or too old')
    if (spent.has(code.family)) {
      families.revoke(code)
      return noGood('The code was used before')
    }
    // Whatever comes of it, it is not good again.
    spend(spent, code.family)
    if (code.redirectUri !== form.get('redirect_uri')) return noGood('The code is for another redirect_uri')
    if (code.clientId !== form.get('client_id')) return noGood('The code is for another client')
    if (code.challenge !== challengeOf(form.get('code_verifier') ?? ''))
      return noGood('The code_verifier is not that of the code_challenge')
    return issued(code, 0, nowMs)
  }

  function refresh(form: URLSearchParams, nowMs: number): SimulatorResponse {
    const token = tokens.read(form.get('refresh_token') ?? '')
    const isGood = token?.kind === 'refresh' && revocations.isGood(token, nowMs)
    const generation = isGood ? families.next(token, nowMs) : null
    if (!token || generation === null) return noGood('The refresh token is not good any more')
    return issued(token, generation, nowMs)
  }

  return {
    /** Whose code or refresh token it is, good or not. */
    accountOf: (form: URLSearchParams): string =>
      tokens.read(form.get('code') ?? form.get('refresh_token') ?? '')?.account ?? '',

    answer(form: URLSearchParams, account: string, nowMs: number): SimulatorResponse {
      requireServed(account)
      switch (form.get('grant_type')) {
        case 'authorization_code':
          return exchange(form, nowMs)
        case 'refresh_token':
          return refresh(form, nowMs)
        default:
          return refusal('unsupported_grant_type', 'Send authorization_code or refresh_token')
      }
    },
  }
}

export type TokenEndpoint = ReturnType<typeof createTokenEndpoint>

const NOT_KEPT = { 'Cache-Control': 'no-store' }

const refusal = (error: string, description: string): SimulatorResponse =>
  json(400, { error, error_description: description }, NOT_KEPT)

const noGood = (description: string): SimulatorResponse => refusal('invalid_grant', description)

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

function spend(spent: Set<string>, code: string): void {
  spent.add(code)
  const [oldest] = spent
  if (spent.size > MAX_CODES && oldest !== undefined) spent.delete(oldest)
}
