import { randomUUID } from 'node:crypto'
import type { Switches } from '../behaviours.ts'

/** Organization and scopes of a token. Null means all scopes. */
export interface Bearer {
  readonly organization: number
  readonly scopes: readonly string[] | null
}

interface Grant extends Bearer {
  /** Same for all tokens of one consent. */
  readonly family: string
  readonly endsAt: number
}

export interface TokenPair {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

const CODE_LIFETIME_MS = 600_000

/** All issued codes and tokens. A refresh token is valid once. */
export class Grants {
  private readonly codes = new Map<string, Grant & { redirectUri: string }>()
  private readonly access = new Map<string, Grant>()
  private readonly refresh = new Map<string, Grant>()
  private readonly usedTokens = new Map<string, string>()
  private readonly keys = new Map<string, Bearer>()
  private readonly revoked = new Set<string>()

  constructor(
    private readonly now: () => number,
    private readonly switches: Switches,
  ) {}

  /** Adds an API token. Organization 7 always has `fake-token-7`. */
  addKey(token: string, bearer: Bearer): void {
    this.keys.set(token, bearer)
    this.revoked.delete(token)
  }

  bearerOf(token: string): Bearer | null {
    if (this.revoked.has(token)) return null
    const number = /^fake-token-(\d+)$/.exec(token)?.[1]
    const key = this.keys.get(token) ?? (number && { organization: Number(number), scopes: null })
    if (key) return key
    const grant = this.access.get(token)
    return grant && grant.endsAt > this.now() ? grant : null
  }

  code(bearer: Bearer, redirectUri: string): string {
    const code = `fake-code-${randomUUID()}`
    const family = randomUUID()
    this.codes.set(code, { ...bearer, family, redirectUri, endsAt: this.now() + CODE_LIFETIME_MS })
    return code
  }

  /** Returns null if the code is unknown, expired or for another redirect URL. */
  exchange(code: string, redirectUri: string): TokenPair | null {
    const grant = this.codes.get(code)
    this.codes.delete(code)
    return grant && grant.endsAt > this.now() && grant.redirectUri === redirectUri ? this.pair(grant) : null
  }

  renew(token: string): TokenPair | null {
    const grant = this.refresh.get(token)
    if (grant) {
      this.refresh.delete(token)
      this.usedTokens.set(token, grant.family)
      return this.pair(grant)
    }
    const family = this.usedTokens.get(token)
    if (family !== undefined && this.switches.reuseEndsFamily === 'yes') this.endFamily(family)
    return null
  }

  /** Revokes a token; an OAuth token with all tokens of the same consent. */
  revoke(token: string): void {
    this.revoked.add(token)
    const grant = this.access.get(token) ?? this.refresh.get(token)
    if (grant) this.endFamily(grant.family)
  }

  /** Revokes all tokens of an organization, as its administrator can. */
  revokeAll(organization: number): void {
    for (const tokens of [this.access, this.refresh, this.keys])
      for (const [token, bearer] of tokens) if (bearer.organization === organization) this.revoked.add(token)
    for (const [token, grant] of this.refresh)
      if (grant.organization === organization) this.refresh.delete(token)
    this.revoked.add(`fake-token-${organization}`)
  }

  expireAll(): void {
    this.access.clear()
  }

  private pair({ organization, scopes, family }: Grant): TokenPair {
    const [access, refresh] = [`fake-access-${randomUUID()}`, `fake-refresh-${randomUUID()}`]
    const seconds = Number(this.switches.tokenSeconds)
    const grant = { organization, scopes, family, endsAt: this.now() + seconds * 1000 }
    this.access.set(access, grant)
    this.refresh.set(refresh, grant)
    return { access_token: access, refresh_token: refresh, expires_in: seconds }
  }

  private endFamily(family: string): void {
    for (const tokens of [this.access, this.refresh])
      for (const [token, grant] of tokens) if (grant.family === family) tokens.delete(token)
  }
}
