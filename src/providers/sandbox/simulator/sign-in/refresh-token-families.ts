import type { Token } from './tokens.ts'

interface Family {
  generation: number
  rotatedMs: number
  isRevoked: boolean
}

/** Largest number of families in memory. The least recently used is dropped first. */
const MAX_FAMILIES = 10_000

/**
 * Rotates the refresh tokens of each consent (token family). A token is valid once. Within a grace period it
 * can be used again, because the response may have been lost. Later reuse means that a token was stolen, and
 * revokes the family.
 */
export function createRefreshTokenFamilies(graceMs: number) {
  const families = new Map<string, Family>()

  /** Returns the family of a token. An unknown family has the generation of the token. */
  function familyOf({ family: id, generation }: Token): Family {
    const family = families.get(id) ?? { generation, rotatedMs: 0, isRevoked: false }
    families.delete(id)
    families.set(id, family)
    const [oldest] = families.keys()
    if (families.size > MAX_FAMILIES && oldest !== undefined) families.delete(oldest)
    return family
  }

  return {
    /** Returns the generation of the next refresh token; null if the token is no longer valid. */
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
      family.isRevoked = true
      return null
    },

    revoke(token: Token): void {
      familyOf(token).isRevoked = true
    },

    isRevoked: ({ family }: Token): boolean => families.get(family)?.isRevoked ?? false,
  }
}

export type RefreshTokenFamilies = ReturnType<typeof createRefreshTokenFamilies>
