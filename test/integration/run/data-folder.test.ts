import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { ensureDemo } from '../../../src/app/demo.ts'
import { folderFindings } from '../../../src/cli/doctor/host.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { type Config, readConfig } from '../../../src/platform/config/config.ts'
import { loadMasterKeys, makeKeyFile } from '../../../src/platform/config/key-file.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { temporaryDatabase } from '../../support/factories.ts'
import { startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { registry } from '../../../src/providers/registry.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const MYSQL = { MYSQL_URL: 'mysql://root@127.0.0.1/odograph', REDIS_URL: 'redis://127.0.0.1' }
/** A folder that not even root can create. */
const IMPOSSIBLE = '/proc/odograph'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'odograph-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

const configOf = (args: readonly string[], environment: Record<string, string> = {}): Config => {
  const result = readConfig(args, environment)
  if (!('config' in result)) throw new Error(JSON.stringify(result))
  return result.config
}

describe('a new data folder', () => {
  test('and its files are readable by their owner only', async () => {
    const folder = join(parent, 'a/b/data')
    const before = process.umask(0o022)
    try {
      const { dataDir } = configOf(['--data', folder])
      makeKeyFile(dataDir)
      const db = await openDatabase({ sqlitePath: join(dataDir, 'odograph.db') })
      await db.migrate()
      await db.transaction((tx) => tx.run('CREATE TABLE probe (id INTEGER)'))
      const files = readdirSync(folder)
      expect(files).toContain('odograph.db')
      expect([modeOf(folder), ...files.map((file) => [file, modeOf(join(folder, file))])]).toEqual([
        '700',
        ...files.map((file) => [file, '600']),
      ])
      expect(modeOf(join(parent, 'a'))).toBe('755')
      await db.close()
    } finally {
      process.umask(before)
    }
  })

  test('gets a warning of the doctor for files that others can read', () => {
    const config = configOf(['--data', join(parent, 'data')])
    for (const name of ['encryption.key', 'odograph.db'])
      writeFileSync(join(config.dataDir, name), '', { mode: 0o644 })
    expect(folderFindings(config)).toMatchObject([
      { check: 'disk' },
      { check: 'key file', state: 'warn', advice: expect.stringContaining('chmod 600') },
      { check: 'database file', state: 'warn', advice: expect.stringContaining('chmod 600') },
    ])
  })
})

describe('an unwritable folder', () => {
  test('is no problem if nothing is stored in it', () => {
    const environment = { ...MYSQL, ENCRYPTION_KEY: KEY }
    for (const role of ['worker', 'gateway', 'subgraph:fleet'])
      expect(configOf(['--data', IMPOSSIBLE, '--role', role], environment).role).toBe(role)
    expect(existsSync(IMPOSSIBLE)).toBe(false)
  })

  test.each<[string, string[], Record<string, string>]>([
    ['the embedded database', [], { ENCRYPTION_KEY: KEY }],
    ['a key file', ['--role', 'worker'], MYSQL],
    ['the demo', ['--role', 'gateway', '--demo', 'on'], { ...MYSQL, ENCRYPTION_KEY: KEY }],
    [
      'the schema of a custom subgraph',
      ['--role', 'gateway'],
      {
        ...MYSQL,
        ENCRYPTION_KEY: KEY,
        SUBGRAPH_URLS: 'fuel=http://127.0.0.1:1/graphql',
        SUBGRAPH_SECRET: 'not a secret, not a secret, not a secret',
      },
    ],
  ])('is a problem if it holds %s', (_what, args, environment) => {
    expect(readConfig(['--data', IMPOSSIBLE, ...args], environment)).toEqual({
      problems: [expect.stringContaining(`--data ${IMPOSSIBLE}: the folder cannot be written`)],
    })
  })
})

test('an unreadable key file is named in the error, with advice', () => {
  const path = join(parent, 'encryption.key')
  mkdirSync(path)
  const keys = loadMasterKeys({ encryptionKeysOld: [], dataDir: parent })
  expect(() => keys()).toThrow(
    `the key file ${path} cannot be read (EISDIR): let the user of the service read it`,
  )
})

test('the demo of another database is replaced by a working one of this database', async () => {
  const secrets = createEncryption(() => [Buffer.alloc(32, 1)])
  const simulator = await startSimulator({ ratePerSecond: 10_000 })
  onTestFinished(() => simulator.close())
  const deps = {
    secrets,
    registry: registry([sandboxAdapter(`http://127.0.0.1:${simulator.port}`)]),
    clock: systemClock,
    dataDir: parent,
    fleetSize: 1,
  }
  await using one = await temporaryDatabase('sqlite')
  await using other = await temporaryDatabase('mysql')
  const first = await ensureDemo({ ...deps, db: one })
  expect((await ensureDemo({ ...deps, db: one }))?.credentials.secretKey).toBe(first?.credentials.secretKey)
  const second = await ensureDemo({ ...deps, db: other })
  expect([first?.isNew, second?.isNew]).toEqual([true, true])
  expect(second?.credentials.connectionId).not.toBe(first?.credentials.connectionId)
  expect(await other.rows('SELECT `id` FROM `connections`')).toEqual([
    { id: second?.credentials.connectionId },
  ])
  const again = await ensureDemo({ ...deps, db: other })
  expect([again?.isNew, again?.credentials.secretKey]).toEqual([false, second?.credentials.secretKey])
})
