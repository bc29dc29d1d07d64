import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/**
 * The key file of a service that was given no key: a key of 32 bytes in base64 on each line, the current one first.
 * Only its owner reads it.
 */
export const keyFilePath = (dataDir: string): string => join(dataDir, 'encryption.key')

export const newEncryptionKey = (): string => randomBytes(KEY_BYTES).toString('base64')

const KEY_BYTES = 32

/** Makes the key file with a first key, unless it is there. */
export function makeKeyFile(dataDir: string): void {
  try {
    writeFileSync(keyFilePath(dataDir), `${newEncryptionKey()}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Writes a key file anew, whole or not at all: a service may be reading it. */
export function writeKeyFile(dataDir: string, keys: readonly Buffer[]): void {
  const path = keyFilePath(dataDir)
  const lines = keys.map((key) => `${key.toString('base64')}\n`)
  writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

export function readKeyFile(dataDir: string): Buffer[] {
  return parseKeys(readFileSync(keyFilePath(dataDir), 'utf8'), keyFilePath(dataDir))
}

function parseKeys(text: string, path: string): Buffer[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => Buffer.from(line, 'base64'))
  if (keys.length === 0 || keys.some(({ length }) => length !== KEY_BYTES))
    throw new Error(`${path} does not hold keys of ${KEY_BYTES} bytes in base64, one a line`)
  return keys
}

type KeySettings = Pick<Config, 'encryptionKey' | 'encryptionKeysOld' | 'dataDir'>

/** Whether there is a key to seal with: in the settings, or in the key file. */
export const hasKeys = ({ encryptionKey, dataDir }: KeySettings): boolean =>
  encryptionKey !== undefined || existsSync(keyFilePath(dataDir))

/** The master keys that the settings name, or the key file as it is then, with those that may open besides. */
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
    const now = readFileSync(path, 'utf8')
    if (now !== text) keys = [...parseKeys(now, path), ...old]
    text = now
    return keys
  }
}
