import type { Token } from './tokens.ts'

/** Tracks revoked accounts and tokens. A signed token does not show whether it is revoked. */
export function createRevocations() {
  const revoked = new Set<string>()
  const ended = { all: new Map<string, number>(), access: new Map<string, number>() }
  return {
    /** Revokes an account for its keys, users and tokens, or restores it unchanged. */
    setRevoked(account: string, isRevoked: boolean): void {
      if (isRevoked) revoked.add(account)
      else revoked.delete(account)
    },

    /**
     * Ends the access tokens and sessions of an account; with `all`, its refresh tokens too. Tokens issued
     * later are valid.
     */
    end(account: string, which: 'access' | 'all', serial: number): void {
      ended[which].set(account, serial)
    },

    isRevoked: (account: string): boolean => revoked.has(account),

    isValid({ kind, account, serial, expiresMs }: Token, nowMs: number): boolean {
      const lastAccess = kind === 'access' || kind === 'session' ? ended.access.get(account) : undefined
      const lastEnded = Math.max(ended.all.get(account) ?? 0, lastAccess ?? 0)
      return !revoked.has(account) && serial > lastEnded && nowMs < expiresMs
    },
  }
}

export type Revocations = ReturnType<typeof createRevocations>
