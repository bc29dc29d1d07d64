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
  /** Number of refreshes in the family before this token was issued. Only refresh tokens use it. */
  readonly generation: number
  // Only a code has these three. The request that exchanges it must match them.
  readonly challenge?: string
  readonly redirectUri?: string
  readonly clientId?: string
}

const SHAPE = /^(code|access|refresh|session)\.([\w-]+)\.([\w-]+)$/

/**
 * Creates functions that write and read signed tokens. Tokens contain all their data, and the seed determines the
 * secret that signs them. A simulator that restarts with the same seed thus accepts its earlier tokens.
 */
export function createTokens(seed: number) {
  const secret = createHash('sha256').update(`sandbox simulator ${seed}`).digest()
  const macOf = (body: string): Buffer => createHmac('sha256', secret).update(body).digest()
  let lastSerial = 0
  return {
    /** Returns the serial of a new token. Serials increase, even across a restart, because they start at the time. */
    nextSerial: () => (lastSerial = Math.max(lastSerial + 1, Date.now())),

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

/** Whether a text has the form of a token, as opposed to an API key. */
export const isToken = (text: string): boolean => SHAPE.test(text)
