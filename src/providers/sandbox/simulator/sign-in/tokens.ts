import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A code or token that the simulator issues at a sign-in. */
export interface Token {
  readonly kind: 'code' | 'access' | 'refresh' | 'session'
  readonly account: string
  /** Higher than the serial of every token issued before. */
  readonly serial: number
  readonly expiresMs: number
  /** Id of the consent. All its codes and tokens share it. Empty for a session. */
  readonly family: string
  /** For refresh tokens: number of earlier refreshes in the family. */
  readonly generation: number
  /** For codes: values that the exchange must match. */
  readonly challenge?: string
  readonly redirectUri?: string
  readonly clientId?: string
}

const SHAPE = /^(code|access|refresh|session)\.([\w-]+)\.([\w-]+)$/

/**
 * Creates and reads signed tokens, which contain all their data. A simulator that restarts with the same seed
 * accepts its earlier tokens.
 */
export function createTokens(seed: number) {
  const secret = createHash('sha256').update(`sandbox simulator ${seed}`).digest()
  const macOf = (body: string): Buffer => createHmac('sha256', secret).update(body).digest()
  let last = 0
  return {
    /** Returns the serial of a new token. Serials increase with time, also over a restart. */
    serial: () => (last = Math.max(last + 1, Date.now())),

    write(token: Token): string {
      const body = Buffer.from(JSON.stringify(token)).toString('base64url')
      return `${token.kind}.${body}.${macOf(body).toString('base64url')}`
    },

    /** Reads a token, expired or not; null if the signature is invalid. */
    read(text: string): Token | null {
      const [, kind, body = '', mac = ''] = SHAPE.exec(text) ?? []
      const [actual, expected] = [Buffer.from(mac, 'base64url'), macOf(body)]
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null
      const token = JSON.parse(Buffer.from(body, 'base64url').toString()) as Token
      return token.kind === kind ? token : null
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

/** Returns whether a text has the form of a token, so that it is not an API key. */
export const isToken = (text: string): boolean => SHAPE.test(text)
