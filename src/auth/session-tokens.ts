import { createHash } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Id } from '../domain/ids.ts'
import type { Clock, Instant } from '../domain/time.ts'
import type { EnvelopeEncryption } from './envelope-encryption.ts'

/**
 * Claims of a session token. They contain no rights: these are read from the database, so that the session can be
 * revoked.
 */
export interface SessionClaims {
  readonly sessionId: Id<'session'>
  readonly applicationId: Id<'application'>
}

/** Signs session tokens, and verifies tokens that were signed with a key still in use. */
export interface SessionTokens {
  issue(claims: SessionClaims, issuedAt: Instant, expiresAt: Instant): Promise<string>
  /** Returns the claims, `expired`, or `unknown` for any other invalid token. */
  open(token: string): Promise<SessionClaims | 'expired' | 'unknown'>
}

export const SESSION_TOKEN_PREFIX = 'ses_tkn_'

const ALGORITHM = 'HS256'
const ISSUER = 'odograph'
const AUDIENCE = 'odograph sessions'

export function sessionTokens(secrets: Pick<EnvelopeEncryption, 'derive'>, clock: Clock): SessionTokens {
  const keys = () => secrets.derive('sessions')
  return {
    async issue({ sessionId, applicationId }, issuedAt, expiresAt) {
      const [key] = keys()
      if (!key) throw new Error('there is no key to sign session tokens with')
      const token = await new SignJWT({ app: applicationId })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: keyIdOf(key) })
        .setSubject(sessionId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(Math.floor(issuedAt / 1000))
        .setExpirationTime(Math.ceil(expiresAt / 1000))
        .sign(key)
      return `${SESSION_TOKEN_PREFIX}${token}`
    },
    async open(token) {
      try {
        const { payload } = await jwtVerify(
          token.slice(SESSION_TOKEN_PREFIX.length),
          ({ kid }) => {
            const key = keys().find((candidate) => keyIdOf(candidate) === kid)
            if (!key) throw new errors.JWKSNoMatchingKey()
            return key
          },
          {
            algorithms: [ALGORITHM],
            issuer: ISSUER,
            audience: AUDIENCE,
            requiredClaims: ['sub', 'app', 'exp', 'iat'],
            currentDate: new Date(clock.now()),
          },
        )
        return { sessionId: String(payload.sub), applicationId: String(payload['app']) }
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired'
        if (error instanceof errors.JOSEError) return 'unknown'
        throw error
      }
    },
  }
}

const keyIdOf = (key: Buffer): string => createHash('sha256').update(key).digest('base64url').slice(0, 8)
