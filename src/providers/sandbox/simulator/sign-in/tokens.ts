import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** What the simulator hands out when somebody signs in. */
export interface Token {
  readonly kind: 'code' | 'access' | 'refresh' | 'session'
  readonly account: string
  /** Higher than that of each token that was issued before. */
  readonly serial: number
  readonly expiresMs: number
  /** What one consent led to. A session stands alone. */
  readonly family: string
  /** Of refresh tokens: how often the family was refreshed before. */
  readonly generation: number
  /** Of codes: what its exchange has to show. */
  readonly challenge?: string
  readonly redirectUri?: string
  readonly clientId?: string
}

const SHAPE = /^(code|access|refresh|session)\.([\w-]+)\.([\w-]+)$/

/** Signed texts that hold all there is to know of them: a simulator that starts again with its seed knows its own. */
export function createTokens(seed: number) {
  const secret = createHash('sha256').update(`sandbox simulator ${seed}`).digest()
  const macOf = (body: string): Buffer => createHmac('sha256', secret).update(body).digest()
  let last = 0
  return {
    /** A number for a new token; of this process' start on, in the order of time. */
    serial: () => (last = Math.max(last + 1, Date.now())),

    write(token: Token): string {
      const body = Buffer.from(JSON.stringify(token)).toString('base64url')
      return `${token.kind}.${body}.${macOf(body).toString('base64url')}`
    },

    /** The token of a text, expired or not; null where it is none of ours. */
    read(text: string): Token | null {
      const [, kind, body = '', mac = ''] = SHAPE.exec(text) ?? []
      const [given, right] = [Buffer.from(mac, 'base64url'), macOf(body)]
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null
      const token = JSON.parse(Buffer.from(body, 'base64url').toString()) as Token
      return token.kind === kind ? token : null
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

/** Whether a text looks like a token, so that it is no API key. */
export const isToken = (text: string): boolean => SHAPE.test(text)
