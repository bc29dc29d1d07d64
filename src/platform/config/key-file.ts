import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the path of the key file. It is used if ENCRYPTION_KEY is not set. Each line is a key of 32 bytes in base64.
 * The first key encrypts, and all keys decrypt. Only the owner of the file can read it.
 */
export const keyFilePath = (dataDir: string): string => join(dataDir, 'encryption.key')

export const newEncryptionKey = (): string => randomBytes(KEY_BYTES).toString('base64')

const KEY_BYTES = 32

/** Creates the key file with a first key, unless it exists. */
export function makeKeyFile(dataDir: string): void {
  try {
    writeFileSync(keyFilePath(dataDir), `${newEncryptionKey()}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Replaces the key file atomically, because a service may be reading it. */
export function writeKeyFile(dataDir: string, keys: readonly Buffer[]): void {
  const path = keyFilePath(dataDir)
  const lines = keys.map((key) => `${key.toString('base64')}\n`)
  writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

export function readKeyFile(dataDir: string): Buffer[] {
  return parseKeys(readText(keyFilePath(dataDir)), keyFilePath(dataDir))
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`the key file ${path} cannot be read (${code}): let the user of the service read it`, {
      cause,
    })
  }
}

function parseKeys(text: string, path: string): Buffer[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => Buffer.from(line, 'base64'))
  if (keys.length === 0 || keys.some(({ length }) => length !== KEY_BYTES))
    throw new Error(`${path} must contain keys of ${KEY_BYTES} bytes in base64, one per line`)
  return keys
}

interface KeySettings {
  readonly encryptionKey?: string | undefined
  readonly encryptionKeysOld: readonly string[]
  readonly dataDir: string
}

/** Whether the settings or the key file provide a key. */
export const hasKeys = ({ encryptionKey, dataDir }: KeySettings): boolean =>
  encryptionKey !== undefined || existsSync(keyFilePath(dataDir))

/**
 * Returns a function that returns the master keys: first the key that encrypts, then those that only decrypt. They come
 * from the settings, or from the key file. The function reads the file at each call, because a rotation can replace the
 * file.
 */
export function loadMasterKeys({
  encryptionKey,
  encryptionKeysOld,
  dataDir,
}: KeySettings): () => readonly Buffer[] {
  const old = encryptionKeysOld.map((key) => Buffer.from(key, 'base64'))
  if (encryptionKey !== undefined) {
    const keys = [Buffer.from(encryptionKey, 'base64'), ...old]
    return () => keys
  }
  const path = keyFilePath(dataDir)
  let text = ''
  let keys: readonly Buffer[] = []
  return () => {
    const current = readText(path)
    if (current !== text) keys = [...parseKeys(current, path), ...old]
    text = current
    return keys
  }
}
