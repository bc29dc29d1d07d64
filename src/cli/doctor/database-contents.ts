import { existsSync } from 'node:fs'
import { createEncryption } from '../../auth/envelope-encryption.ts'
import type { Config } from '../../platform/config/config.ts'
import { hasKeys, keyFilePath, loadMasterKeys } from '../../platform/config/key-file.ts'
import type { Database } from '../../storage/database.ts'
import { openDatabase } from '../../storage/open-database.ts'
import { migrationState } from '../../storage/migration-state.ts'
import { countByKey, undecryptableRows } from '../reencrypt.ts'
import { databaseFileOf } from '../command-context.ts'
import { fail, type Finding, ok, describeError, warn } from './finding.ts'

/**
 * Checks whether the database is intact, has the migrations of this version, and can be decrypted with the given keys.
 */
export async function databaseFindings(config: Config): Promise<Finding[]> {
  const path = databaseFileOf(config)
  if (!config.mysqlUrl && !existsSync(path))
    return [warn('database', `${path} does not exist`, 'the first start creates it; is --data right?')]
  try {
    const db = await openDatabase({ mysqlUrl: config.mysqlUrl, sqlitePath: path, poolSize: 2 })
    try {
      return await findingsIn(db, config)
    } finally {
      await db.close()
    }
  } catch (error) {
    return [fail('database', describeError(error), 'restore a backup, or look at the log of the service')]
  }
}

async function findingsIn(db: Database, config: Config): Promise<Finding[]> {
  const { pending, newer, applied } = await migrationState(db)
  const whole = db.dialect === 'sqlite' ? [await integrityFinding(db)] : []
  if (newer.length > 0)
    return [
      ...whole,
      fail('migrations', `unknown: ${newer.join(', ')}`, 'run the newer version of the service'),
    ]
  if (pending.length > 0)
    return [
      ...whole,
      warn(
        'migrations',
        `${pending.length} pending`,
        'npm run migrate; unless MIGRATE is off, the next start applies them',
      ),
    ]
  return [
    ...whole,
    ok('migrations', `${applied.length}, none pending`),
    ...(await encryptionFindings(db, config)),
  ]
}

async function integrityFinding(db: Database): Promise<Finding> {
  const rows = await db.rows<{ quick_check: string }>('PRAGMA quick_check')
  const [{ quick_check: first } = { quick_check: 'no answer' }] = rows
  return first === 'ok'
    ? ok('database', 'embedded, intact')
    : fail('database', `damaged: ${first}`, 'stop the service and restore a backup')
}

async function encryptionFindings(db: Database, config: Config): Promise<Finding[]> {
  const counts = await countByKey({ db })
  const keyless = !hasKeys(config)
  if (keyless && counts.size === 0)
    return [warn('encryption key', 'none yet', 'the first start creates a key file')]
  if (keyless)
    return [
      fail(
        'encryption key',
        `no ENCRYPTION_KEY and no ${keyFilePath(config.dataDir)}`,
        'set the key that the service ran with',
      ),
    ]
  const secrets = createEncryption(loadMasterKeys(config))
  const keyIds = secrets.keyIds()
  const missing = [...counts].filter(([id]) => !keyIds.includes(id))
  if (missing.length > 0)
    return missing.map(([id, count]) =>
      fail(
        'encryption key',
        `${count} values are encrypted with key ${id}, which is missing`,
        'add it to ENCRYPTION_KEYS_OLD',
      ),
    )
  const unopened = await undecryptableRows({ db, secrets })
  if (unopened.length > 0)
    return [
      fail('encryption key', `${unopened.join(', ')} cannot be decrypted`, 'their fleets must link again'),
    ]
  const old = [...counts].filter(([id]) => id !== keyIds[0]).reduce((sum, [, count]) => sum + count, 0)
  return [
    old > 0
      ? warn(
          'encryption key',
          `${old} values are encrypted with an old key`,
          'odograph encryption-key rotate',
        )
      : ok('encryption key', `${keyIds[0]} decrypts everything`),
  ]
}
