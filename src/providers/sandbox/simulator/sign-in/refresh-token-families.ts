import type { Token } from './tokens.ts'

/** State of the refresh tokens of one consent. */
interface Family {
  /** Generation of the newest refresh token. */
  generation: number
  /** Time of the last rotation. */
  rotatedMs: number
  isRevoked: boolean
}

/** Largest number of families in memory. A further family replaces the least recently used one. */
const MAX_FAMILIES = 10_000

/**
 * Rotates refresh tokens. All tokens of one consent are a family. A refresh token can be used once, and again
 * within a grace period, because its response may have been lost. Later reuse means that someone stole a token: it
 * revokes the family, unless `keepsReused`. Then only the used token is refused.
 */
export function createRefreshTokenFamilies(graceMs: number, keepsReused = false) {
  const families = new Map<string, Family>()

  /** Returns the family of a token. For an unknown family, for example after a restart, the token is the newest. */
  function familyOf({ family: id, generation }: Token): Family {
    const family = families.get(id) ?? { generation, rotatedMs: 0, isRevoked: false }
    families.delete(id)
    families.set(id, family)
    const [oldest] = families.keys()
    if (families.size > MAX_FAMILIES && oldest !== undefined) families.delete(oldest)
    return family
  }

  return {
    /** Uses a refresh token. Returns the generation of the next one; null if the token is no longer valid. */
    next(token: Token, nowMs: number): number | null {
      const family = familyOf(token)
      if (family.isRevoked) return null
      if (token.generation >= family.generation) {
        family.generation = token.generation + 1
        family.rotatedMs = nowMs
        return family.generation
      }
      const isLate = token.generation < family.generation - 1 || nowMs - family.rotatedMs > graceMs
      if (!isLate) return family.generation
      family.isRevoked = !keepsReused
      return null
    },

    revoke(token: Token): void {
      familyOf(token).isRevoked = true
    },

    isRevoked: ({ family }: Token): boolean => families.get(family)?.isRevoked ?? false,
  }
}

export type RefreshTokenFamilies = ReturnType<typeof createRefreshTokenFamilies>
