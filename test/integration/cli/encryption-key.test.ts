import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { reencrypt } from '../../../src/cli/reencrypt.ts'
import { readKeyFile, makeKeyFile, loadMasterKeys } from '../../../src/platform/config/key-file.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { encryptedColumns } from '../../../src/subgraphs/tables/encrypted-columns.ts'
import { connectionRow, dialects, seedApplication, temporaryDatabase } from '../../support/factories.ts'
import { prove } from '../../prove/rotation.ts'
import { stores } from '../../support/database/stores.ts'
import { MASTER_KEY, openCliHarness } from '../../support/harnesses/cli-harness.ts'

const OLD = Buffer.alloc(32, 7)
const NEW = Buffer.alloc(32, 8)
const ROWS = 1000

interface EncryptedRow {
  readonly id: string
  readonly tokenSealed: string
  readonly credentialsSealed: string
}

describe.each(dialects)('a rotation on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let ids: readonly string[] = []

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    const rows = Array.from({ length: ROWS }, (_, at) => connectionRow('app_1', `con_tkn_${at}`))
    ids = rows.map(({ id }) => id)
    await db.transaction((tx) => tx.insert(tableOf(Connection), rows))
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const read = async (id: string): Promise<EncryptedRow> => {
    const [row] = await db.rows<EncryptedRow>(
      'SELECT `id`, `tokenSealed`, `credentialsSealed` FROM `connections` WHERE `id` = ?',
      [id],
    )
    return row!
  }

  test('resumes after an interruption', async () => {
    const next = createEncryption(() => [NEW, OLD])
    let transactions = 0
    const failing: Pick<Database, 'rows' | 'transaction'> = {
      rows: db.rows,
      transaction: (work) =>
        ++transactions > 3 ? Promise.reject(new Error('stopped')) : db.transaction(work),
    }
    await expect(reencrypt({ db: failing, secrets: next }, () => undefined)).rejects.toThrow('stopped')
    const { reencrypted } = await reencrypt({ db, secrets: next }, () => undefined)
    expect(reencrypted).toBe(ROWS - 3 * 200)
  })

  test('reports a value that was moved to another row, and does not change it', async () => {
    const [one = '', two = ''] = ids
    const { tokenSealed } = await read(one)
    await db.transaction((tx) =>
      tx.run('UPDATE `connections` SET `tokenSealed` = ? WHERE `id` = ?', [tokenSealed, two]),
    )
    const current = createEncryption(() => [OLD, NEW])
    expect(() => current.open(tokenSealed, two)).toThrow()
    const { undecryptable } = await reencrypt({ db, secrets: current }, () => undefined)
    expect(undecryptable).toEqual([two])
    expect((await read(two)).tokenSealed).toBe(tokenSealed)
  })

  test('covers every encrypted column', async () => {
    const found = await db.rows<{ place: string }>(
      dialect === 'mysql'
        ? "SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME) AS `place` FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_NAME LIKE '%ealed'"
        : "SELECT t.name || '.' || c.name AS `place` FROM sqlite_master AS t JOIN pragma_table_xinfo(t.name) AS c WHERE t.type = 'table' AND c.name LIKE '%ealed'",
    )
    expect(found.map(({ place }) => place).sort()).toEqual(
      encryptedColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)).sort(),
    )
  })
})

describe('the encryption', () => {
  test('uses a key that is added to its file at runtime', async () => {
    await using harness = await openCliHarness('sqlite', {})
    const { folder } = harness.home
    makeKeyFile(folder)
    const running = createEncryption(
      loadMasterKeys({ dataDir: folder, encryptionKey: undefined, encryptionKeysOld: [] }),
    )
    const before = running.seal('secret', 'row')
    expect((await harness.cli('encryption-key', 'new', '--key-file')).code).toBe(0)
    const [first = Buffer.alloc(0), second] = readKeyFile(folder)
    expect(running.open(createEncryption(first).seal('secret', 'row'), 'row')).toBe('secret')
    expect(running.open(before, 'row')).toBe('secret')
    expect(createEncryption(first).open(running.seal('secret', 'row'), 'row')).toBe('secret')
    expect(() => createEncryption(first).open(before, 'row')).toThrow(/sealed with key/)
    expect(second).toBeDefined()
  })

  test('with several keys verifies signatures of each of them', () => {
    const [old] = createEncryption(OLD).derive('cursors')
    expect(createEncryption(() => [NEW, OLD]).derive('cursors')[1]).toEqual(old)
    expect(createEncryption(NEW).derive('cursors')).not.toContainEqual(old)
  })
})

describe.each(stores)('on %s', (store) => {
  test('no read fails during re-encryption, and the new key decrypts everything', async () => {
    expect(await prove(store, ROWS)).toEqual([])
  })
})

describe.each(stores)('the commands on %s', (store) => {
  test('rotate to a new key, and report when the old one can be removed', async () => {
    const next = NEW.toString('base64')
    await using harness = await openCliHarness(store, {
      ENCRYPTION_KEY: next,
      ENCRYPTION_KEYS_OLD: MASTER_KEY,
    })
    const seeded = await seedApplication(harness.db, [() => ({}), () => ({})])
    const status = () => harness.json<{ use: string; sealed: number }[]>('encryption-key', 'status')
    expect((await status()).map(({ use, sealed }) => [use, sealed])).toEqual([
      ['current', 0],
      ['opens', 4],
    ])

    const { code, error } = await harness.cli('encryption-key', 'rotate')
    expect([code, error]).toEqual([0, expect.stringContaining('you can remove the old keys')])
    expect((await status()).map(({ sealed }) => sealed)).toEqual([4, 0])
    const [{ connection, token }] = seeded.connections as [(typeof seeded.connections)[number]]
    expect(await harness.json('connections', 'token', connection.id)).toMatchObject({
      connectionToken: token,
    })
  })

  test('fail a rotation while a key is missing', async () => {
    await using harness = await openCliHarness(store, { ENCRYPTION_KEY: NEW.toString('base64') })
    await seedApplication(harness.db, [() => ({})])
    const { code, error } = await harness.cli('encryption-key', 'rotate')
    expect([code, error]).toEqual([1, expect.stringContaining('keep every key')])
    expect((await harness.cli('encryption-key', 'retire')).error).toContain('ENCRYPTION_KEY is set')
  })
})

test('retirement removes only unused keys from a key file', async () => {
  await using harness = await openCliHarness('sqlite', {})
  await seedApplication(harness.db, [() => ({})])
  const { folder } = harness.home
  makeKeyFile(folder)
  const encryption = createEncryption(
    loadMasterKeys({ dataDir: folder, encryptionKey: undefined, encryptionKeysOld: [MASTER_KEY] }),
  )
  await reencrypt({ db: harness.db, secrets: encryption }, () => undefined)
  for (let more = 0; more < 2; more++) await harness.cli('encryption-key', 'new', '--key-file')
  expect(await harness.json('encryption-key', 'retire')).toEqual({ removed: 1, kept: 2 })
  expect((await harness.cli('encryption-key', 'rotate')).code).toBe(0)
  expect(await harness.json('encryption-key', 'retire')).toEqual({ removed: 1, kept: 1 })
  expect((await harness.cli('connections', 'list')).code).toBe(0)
})
