import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals what must be stored but not read from a copy of the database: AES-256-GCM, the key's id in front. */
export interface SecretBox {
  /** `context` says what the secret belongs to; only the same context opens it. */
  seal(secret: string, context: string): string
  open(sealed: string, context: string): string
  /** A key for another purpose, derived from the same master key. */
  derive(purpose: string): Buffer
}

export function secretBox(masterKey: Buffer): SecretBox {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `odograph ${purpose}`, 32))
  const key = derive('secrets at rest')
  const keyId = createHash('sha256').update(key).digest('base64url').slice(0, 8)
  return {
    derive,
    seal(secret, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, context) {
      const [id, text = ''] = sealed.split('.')
      if (id !== keyId) throw new Error(`sealed under key ${id}, but the key here is ${keyId}`)
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
