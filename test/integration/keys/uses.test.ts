import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authenticator } from '../../../src/auth/caller.ts'
import type { Database } from '../../../src/storage/database.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import {
  type KeyUsageRecorder,
  createKeyUsageRecorder,
} from '../../../src/subgraphs/connections/applications/key-usage.ts'
import {
  dialects,
  NOON,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { seedKey } from '../../support/rows/key-rows.ts'

describe.each(dialects)('the last use of keys on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let seeded: SeededApplication
  let now = NOON
  let transactions = 0
  const errors: unknown[] = []
  let isDown = false

  beforeEach(async () => {
    db = await temporaryDatabase(dialect)
    seeded = await seedApplication(db, [])
    ;[now, transactions, isDown] = [NOON, 0, false]
    errors.length = 0
  })
  afterEach(() => db[Symbol.asyncDispose]())

  const transaction: Database['transaction'] = (work) => {
    transactions += 1
    return isDown ? Promise.reject(new Error('out of reach')) : db.transaction(work)
  }
  const createRecorder = (): KeyUsageRecorder =>
    createKeyUsageRecorder({
      db: { transaction },
      clock: { now: () => now },
      onWriteError: (error) => errors.push(error),
    })

  async function lastUseOf(id: string): Promise<number | null> {
    const [row] = await db.rows<{ lastUsedAt: number | null }>(
      'SELECT `lastUsedAt` FROM `api_keys` WHERE `id` = ?',
      [id],
    )
    return row!.lastUsedAt === null ? null : Number(row!.lastUsedAt)
  }

  test('is written in the background, for many keys at once, once a minute per key', async () => {
    const { value, key } = await seedKey(db, seeded.id)
    const publishable = await seedKey(db, seeded.id, { use: 'publishable' })
    const uses = createRecorder()
    const authenticate = authenticator(callerLookups(db), { noteUse: (id) => uses.record(id) })
    for (let at = 0; at < 100; at++) await authenticate({ authorization: `Bearer ${value}` })
    now += 10
    uses.record(publishable.key.id)
    now += 59_000
    uses.record(key.id)
    await uses.close()
    expect([transactions, await lastUseOf(key.id), await lastUseOf(publishable.key.id)]).toEqual([
      1,
      NOON,
      NOON + 10,
    ])
    now = NOON + 60_000
    uses.record(key.id)
    await uses.close()
    expect([transactions, await lastUseOf(key.id)]).toEqual([2, NOON + 60_000])
  })

  test('is written without a close', async () => {
    const { key } = await seedKey(db, seeded.id)
    const uses = createRecorder()
    uses.record(key.id)
    await expect.poll(() => lastUseOf(key.id)).toBe(NOON)
    await uses.close()
  })

  test('is not overwritten by a process that writes an earlier use', async () => {
    const { key } = await seedKey(db, seeded.id, { lastUsedAt: NOON + 5000 })
    const uses = createRecorder()
    uses.record(key.id)
    await uses.close()
    expect(await lastUseOf(key.id)).toBe(NOON + 5000)
  })

  test('fails no request if it cannot be written, and is written with the next', async () => {
    const { value, key } = await seedKey(db, seeded.id)
    const uses = createRecorder()
    const authenticate = authenticator(callerLookups(db), { noteUse: (id) => uses.record(id) })
    isDown = true
    await authenticate({ authorization: `Bearer ${value}` })
    await uses.close()
    expect([errors.length, await lastUseOf(key.id)]).toEqual([1, null])
    isDown = false
    await authenticate({ authorization: `Bearer ${value}` })
    await uses.close()
    expect(await lastUseOf(key.id)).toBe(NOON)
  })
})
