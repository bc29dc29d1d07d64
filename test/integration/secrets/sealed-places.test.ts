import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { undecryptableRows } from '../../../src/cli/reencrypt.ts'
import type { Database } from '../../../src/storage/database.ts'
import { encryptedColumns } from '../../../src/subgraphs/tables/encrypted-columns.ts'
import { dialects, masterEncryption, temporaryDatabase } from '../../support/factories.ts'
import {
  contextAt,
  seedSealed,
  putIn,
  sealedIn,
  type SealedPlace,
} from '../../support/secrets/sealed-rows.ts'

describe.each(dialects)('an encrypted value on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let places: readonly SealedPlace[]

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    const [one, other] = [
      await seedSealed(db, masterEncryption, 'app_1', 2),
      await seedSealed(db, masterEncryption, 'app_2', 1),
    ]
    places = [...one, ...other]
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const undecryptable = () => undecryptableRows({ db, secrets: masterEncryption })

  test('is seeded in every encrypted column', () => {
    const seeded = new Set(places.map(({ table, column }) => `${table}.${column}`))
    expect([...seeded]).toEqual(
      encryptedColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
    )
  })

  test('decrypts in its own place, and in no other column, row, table or application', async () => {
    for (const place of places) {
      const sealed = await sealedIn(db, place)
      expect(sealed).not.toContain(place.text)
      expect(masterEncryption.open(sealed, contextAt(place))).toBe(place.text)
      for (const other of places)
        if (other !== place)
          expect(() => masterEncryption.open(sealed, contextAt(other))).toThrow(/authenticate/)
    }
  })

  test('is reported as undecryptable if it is moved to another place', async () => {
    expect(await undecryptable()).toEqual([])
    for (const [at, from] of places.entries()) {
      const to = places[(at + 1) % places.length]!
      const before = await sealedIn(db, to)
      await putIn(db, to, await sealedIn(db, from))
      expect(await undecryptable()).toEqual([to.row.id])
      await putIn(db, to, before)
    }
    expect(await undecryptable()).toEqual([])
  })

  test.each(encryptedColumns.map(({ table }) => table))(
    'does not decrypt in a row of %s that moves to another application',
    async (table) => {
      const { row } = places.find((place) => place.table === table)!
      const move = (applicationId: string) =>
        db.transaction((tx) =>
          tx.run(`UPDATE \`${table}\` SET \`applicationId\` = ? WHERE \`id\` = ?`, [applicationId, row.id]),
        )
      await move('app_2')
      expect(await undecryptable()).toEqual([row.id])
      await move(row.applicationId)
      expect(await undecryptable()).toEqual([])
    },
  )
})
