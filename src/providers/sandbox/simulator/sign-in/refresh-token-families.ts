import type { Token } from './tokens.ts'

interface Family {
  generation: number
  rotatedMs: number
  isRevoked: boolean
}

/** Enough for any number of consents in use; the one that was quiet the longest is forgotten first. */
const MOST = 10_000

/**
 * Whose turn it is in each family of refresh tokens. Each is good once; for a grace after that it gives the same answer
 * again, since whoever asked may not have heard it. One that comes later has been stolen, by somebody: the family ends.
 */
export function createRefreshTokenFamilies(graceMs: number) {
  const families = new Map<string, Family>()

  /** A family that is not remembered stands where its token says. */
  function familyOf({ family: id, generation }: Token): Family {
    const family = families.get(id) ?? { generation, rotatedMs: 0, isRevoked: false }
    families.delete(id)
    families.set(id, family)
    const [oldest] = families.keys()
    if (families.size > MOST && oldest !== undefined) families.delete(oldest)
    return family
  }

  return {
    /** The generation that follows on a refresh token; null where it is not good any more. */
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
