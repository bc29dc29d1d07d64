import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** How long the id of a key is, which stands before the first dot of what it seals. */
export const KEY_ID_LENGTH = 8

/**
 * The master keys in use: the first seals, each of them opens. It is asked again before each seal, and where a key is
 * missing, so that a key file may change while a service runs; it gives the same array as long as nothing has.
 */
export type MasterKeys = () => readonly Buffer[]

/** Seals what must be stored but not read from a copy of the database: AES-256-GCM, the key's id in front. */
export interface EnvelopeEncryption {
  /** `context` says what the secret belongs to; only the same context opens it. */
  seal(secret: string, context: string): string
  open(sealed: string, context: string): string
  /** Keys for another purpose, one of each master key: what the first has signed is as good as what the others have. */
  derive(purpose: string): readonly Buffer[]
  /** The ids of the keys in use, that of the one that seals first. */
  keyIds(): readonly string[]
}

interface SealingKey {
  readonly id: string
  readonly key: Buffer
}

export function createEncryption(master: Buffer | MasterKeys): EnvelopeEncryption {
  const masterKeys = Buffer.isBuffer(master) ? always([master]) : master
  let known = masterKeys()
  let ring = known.map(sealingKey)
  const renewed = (): readonly SealingKey[] => {
    const now = masterKeys()
    if (now !== known) ring = now.map(sealingKey)
    known = now
    return ring
  }
  const find = (id: string) => ring.find((key) => key.id === id) ?? renewed().find((key) => key.id === id)
  return {
    derive: (purpose) => masterKeys().map((key) => derived(key, purpose)),
    keyIds: () => renewed().map(({ id }) => id),
    seal(secret, context) {
      const [current] = renewed()
      if (!current) throw new Error('there is no key to seal with')
      return sealWith(current, secret, context)
    },
    open(sealed, context) {
      const id = keyIdOf(sealed)
      const key = find(id)
      if (key) return openWith(key, sealed, context)
      throw new Error(`sealed under key ${id}, but the keys here are ${ring.map((one) => one.id).join(', ')}`)
    },
  }
}

const always =
  (keys: readonly Buffer[]): MasterKeys =>
  () =>
    keys

/** Under which key something is sealed. */
const keyIdOf = (sealed: string): string => sealed.slice(0, Math.max(0, sealed.indexOf('.')))

const derived = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', `odograph ${purpose}`, 32))

function sealingKey(masterKey: Buffer): SealingKey {
  const key = derived(masterKey, 'secrets at rest')
  return { id: createHash('sha256').update(key).digest('base64url').slice(0, KEY_ID_LENGTH), key }
}

function sealWith({ id, key }: SealingKey, secret: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `${id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

function openWith({ id, key }: SealingKey, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed.slice(id.length + 1), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
