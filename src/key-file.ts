import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The master key of a service that was given none: made once, in a file that only its owner reads. */
export function masterKeyIn(dataDir: string): Buffer {
  const path = join(dataDir, 'encryption.key')
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = Buffer.from(readFileSync(path, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`${path} does not hold a key of 32 bytes`)
  return key
}
