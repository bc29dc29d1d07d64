import { randomUUID } from 'node:crypto'
import type { MotiveSwitches } from '../behaviours.ts'

/** Company and scopes of a credential. Null means all scopes. */
export interface Bearer {
  readonly account: number
  readonly scopes: readonly string[] | null
}

interface Grant extends Bearer {
  readonly redirectUri: string
  /** Same for all tokens of one consent. */
  readonly family: string
  readonly endsAt: number
}

export interface TokenPair {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
}

const CODE_LIFETIME_MS = 600_000

/** All issued codes, tokens and keys. */
export class Grants {
  private readonly codes = new Map<string, Grant>()
  private readonly access = new Map<string, Grant>()
  private readonly refresh = new Map<string, Grant>()
  private readonly keys = new Map<string, Bearer>()
  private readonly revoked = new Set<string>()

  constructor(
    private readonly now: () => number,
    private readonly switches: MotiveSwitches,
  ) {}

  /** Adds an API key. Company 7 always has `fake-key-7`. */
  addKey(key: string, bearer: Bearer): void {
    this.keys.set(key, bearer)
    this.revoked.delete(key)
  }

  ofKey(key: string): Bearer | null {
    if (this.revoked.has(key)) return null
    const number = /^fake-key-(\d+)$/.exec(key)?.[1]
    return this.keys.get(key) ?? (number === undefined ? null : { account: Number(number), scopes: null })
  }

  ofToken(token: string): Bearer | null {
    const grant = this.access.get(token)
    return grant && grant.endsAt > this.now() ? grant : null
  }

  code(bearer: Bearer, redirectUri: string): string {
    const code = `fake-code-${randomUUID()}`
    const endsAt = this.now() + CODE_LIFETIME_MS
    this.codes.set(code, { ...bearer, redirectUri, family: randomUUID(), endsAt })
    return code
  }

  /** Returns null if the code is unknown, expired or for another redirect URL. */
  exchange(code: string, redirectUri: string): TokenPair | null {
    const grant = this.codes.get(code)
    this.codes.delete(code)
    return grant && grant.endsAt > this.now() && grant.redirectUri === redirectUri ? this.pair(grant) : null
  }

  /** Renews a token. The request must contain the redirect URL of the code. */
  renew(token: string, redirectUri: string): TokenPair | null {
    const grant = this.refresh.get(token)
    if (!grant || grant.redirectUri !== redirectUri) return null
    if (this.switches.is('refreshTokens', 'last')) return this.pair(grant, token)
    this.refresh.delete(token)
    return this.pair(grant)
  }

  /** Revokes a token with all tokens of the same consent. */
  revoke(token: string): void {
    const grant = this.access.get(token) ?? this.refresh.get(token)
    if (grant) this.end(({ family }) => family === grant.family)
  }

  /** Revokes all tokens of a company, as its administrator can. */
  revokeAll(account: number): void {
    this.end((grant) => grant.account === account)
    for (const [key, bearer] of this.keys) if (bearer.account === account) this.revoked.add(key)
    this.revoked.add(`fake-key-${account}`)
  }

  expireAll(): void {
    this.access.clear()
  }

  private pair(grant: Grant, refresh = `fake-refresh-${randomUUID()}`): TokenPair {
    const seconds = Number(this.switches.is('tokenSeconds', '7200') ? 7200 : 900)
    const access = `fake-access-${randomUUID()}`
    const given = { ...grant, endsAt: this.now() + seconds * 1000 }
    this.access.set(access, given)
    this.refresh.set(refresh, given)
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: seconds }
  }

  private end(isMatch: (grant: Grant) => boolean): void {
    for (const tokens of [this.access, this.refresh])
      for (const [token, grant] of tokens) if (isMatch(grant)) tokens.delete(token)
  }
}
