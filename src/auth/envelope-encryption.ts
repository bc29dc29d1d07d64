import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Length of a key id, which precedes the first dot of a sealed value. */
export const KEY_ID_LENGTH = 8

/**
 * Returns the master keys in use: the first one seals, each of them opens. It is called for each seal, for each
 * derivation and list of key ids, and when no known key opens a value. The key file can therefore change while the
 * service runs. It returns the same array as long as the keys are unchanged.
 */
export type MasterKeys = () => readonly Buffer[]

/**
 * Encrypts secrets with AES-256-GCM, so that a copy of the database does not reveal them. A sealed value begins with
 * the id of its key.
 */
export interface EnvelopeEncryption {
  /** `context` names the owner of the secret; only the same context opens it. */
  seal(secret: string, context: string): string
  open(sealed: string, context: string): string
  /**
   * Derives keys for another purpose, such as signing, one from each master key. The first key signs. A signature by
   * any of the keys is valid.
   */
  derive(purpose: string): readonly Buffer[]
  /** Returns the ids of the keys in use. The first key seals. */
  keyIds(): readonly string[]
}

interface SealingKey {
  readonly id: string
  readonly key: Buffer
}

export function createEncryption(master: Buffer | MasterKeys): EnvelopeEncryption {
  const masterKeys = Buffer.isBuffer(master) ? always([master]) : master
  let loadedKeys = masterKeys()
  let sealingKeys = loadedKeys.map(sealingKey)
  const refreshKeys = (): readonly SealingKey[] => {
    const current = masterKeys()
    if (current !== loadedKeys) sealingKeys = current.map(sealingKey)
    loadedKeys = current
    return sealingKeys
  }
  const find = (id: string) =>
    sealingKeys.find((key) => key.id === id) ?? refreshKeys().find((key) => key.id === id)
  return {
    derive: (purpose) => masterKeys().map((key) => deriveKey(key, purpose)),
    keyIds: () => refreshKeys().map(({ id }) => id),
    seal(secret, context) {
      const [current] = refreshKeys()
      if (!current) throw new Error('there is no master key to encrypt with')
      return sealWith(current, secret, context)
    },
    open(sealed, context) {
      const id = keyIdOf(sealed)
      const key = find(id)
      if (key) return openWith(key, sealed, context)
      throw new Error(
        `the value is sealed with key ${id}, but the available keys are ${sealingKeys.map((available) => available.id).join(', ')}: add the missing key to ENCRYPTION_KEYS_OLD`,
      )
    },
  }
}

const always =
  (keys: readonly Buffer[]): MasterKeys =>
  () =>
    keys

/** Returns the id of the key that sealed a value. */
const keyIdOf = (sealed: string): string => sealed.slice(0, Math.max(0, sealed.indexOf('.')))

const deriveKey = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', `odograph ${purpose}`, 32))

function sealingKey(masterKey: Buffer): SealingKey {
  const key = deriveKey(masterKey, 'secrets at rest')
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
