import type { Token } from './tokens.ts'

/** Which accounts and which of their tokens are no good any more, whatever they say of themselves. */
export function createRevocations() {
  const revoked = new Set<string>()
  const ended = { all: new Map<string, number>(), access: new Map<string, number>() }
  return {
    /** Shuts an account for its keys, users and tokens, or opens it again as it was. */
    setRevoked(account: string, isRevoked: boolean): void {
      if (isRevoked) revoked.add(account)
      else revoked.delete(account)
    },

    /** Ends the access tokens and sessions of an account, or its refresh tokens too; who signs in again gets new ones. */
    end(account: string, which: 'access' | 'all', serial: number): void {
      ended[which].set(account, serial)
    },

    isRevoked: (account: string): boolean => revoked.has(account),

    isGood({ kind, account, serial, expiresMs }: Token, nowMs: number): boolean {
      const passes = kind === 'access' || kind === 'session' ? ended.access.get(account) : undefined
      const last = Math.max(ended.all.get(account) ?? 0, passes ?? 0)
      return !revoked.has(account) && serial > last && nowMs < expiresMs
    },
  }
}

export type Revocations = ReturnType<typeof createRevocations>
