import type { Token } from './tokens.ts'

/** Creates a list of revoked accounts and ended tokens, because signed tokens do not contain their revocation. */
export function createRevocations() {
  const revoked = new Set<string>()
  /** Serials by account: tokens up to the serial have ended. */
  const endedSerials = { all: new Map<string, number>(), access: new Map<string, number>() }
  return {
    /** Revokes an account with its API key, user and tokens, or restores it unchanged. */
    setRevoked(account: string, isRevoked: boolean): void {
      if (isRevoked) revoked.add(account)
      else revoked.delete(account)
    },

    /**
     * Ends the tokens of an account with a serial up to `lastSerial`. `access` ends access tokens and sessions;
     * `all` also ends codes and refresh tokens.
     */
    endTokens(account: string, which: 'access' | 'all', lastSerial: number): void {
      endedSerials[which].set(account, lastSerial)
    },

    isRevoked: (account: string): boolean => revoked.has(account),

    isValid({ kind, account, serial, expiresMs }: Token, nowMs: number): boolean {
      const isAccess = kind === 'access' || kind === 'session'
      const endedAccess = isAccess ? (endedSerials.access.get(account) ?? 0) : 0
      const endedSerial = Math.max(endedSerials.all.get(account) ?? 0, endedAccess)
      return !revoked.has(account) && serial > endedSerial && nowMs < expiresMs
    },
  }
}

export type Revocations = ReturnType<typeof createRevocations>
