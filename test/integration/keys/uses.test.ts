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
import { seedKey } from '../../support/key-rows.ts'

describe.each(dialects)('the last use of keys on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let planted: SeededApplication
  let now = NOON
  let transactions = 0
  const trouble: unknown[] = []
  let isDown = false

  beforeEach(async () => {
    db = await temporaryDatabase(dialect)
    planted = await seedApplication(db, [])
    ;[now, transactions, isDown] = [NOON, 0, false]
    trouble.length = 0
  })
  afterEach(() => db[Symbol.asyncDispose]())

  const transaction: Database['transaction'] = (work) => {
    transactions += 1
    return isDown ? Promise.reject(new Error('out of reach')) : db.transaction(work)
  }
  const opened = (): KeyUsageRecorder =>
    createKeyUsageRecorder({
      db: { transaction },
      clock: { now: () => now },
      onWriteError: (error) => trouble.push(error),
    })

  async function usedAt(id: string): Promise<number | null> {
    const [row] = await db.rows<{ lastUsedAt: number | null }>(
      'SELECT `lastUsedAt` FROM `api_keys` WHERE `id` = ?',
      [id],
    )
    return row!.lastUsedAt === null ? null : Number(row!.lastUsedAt)
  }

  test('is written behind the requests, of many keys at once, and once a minute of each', async () => {
    const { value, key } = await seedKey(db, planted.id)
    const link = await seedKey(db, planted.id, { use: 'publishable' })
    const uses = opened()
    const authenticate = authenticator(callerLookups(db), { noteUse: (id) => uses.record(id) })
    for (let at = 0; at < 100; at++) await authenticate({ authorization: `Bearer ${value}` })
    now += 10
    uses.record(link.key.id)
    now += 59_000
    uses.record(key.id)
    await uses.close()
    expect([transactions, await usedAt(key.id), await usedAt(link.key.id)]).toEqual([1, NOON, NOON + 10])
    now = NOON + 60_000
    uses.record(key.id)
    await uses.close()
    expect([transactions, await usedAt(key.id)]).toEqual([2, NOON + 60_000])
  })

  test('is written without anybody closing anything', async () => {
    const { key } = await seedKey(db, planted.id)
    const uses = opened()
    uses.record(key.id)
    await expect.poll(() => usedAt(key.id)).toBe(NOON)
    await uses.close()
  })

  test('is never taken back by a process that writes later what was earlier', async () => {
    const { key } = await seedKey(db, planted.id, { lastUsedAt: NOON + 5000 })
    const uses = opened()
    uses.record(key.id)
    await uses.close()
    expect(await usedAt(key.id)).toBe(NOON + 5000)
  })

  test('that cannot be written fails nobody, and is written with the next', async () => {
    const { value, key } = await seedKey(db, planted.id)
    const uses = opened()
    const authenticate = authenticator(callerLookups(db), { noteUse: (id) => uses.record(id) })
    isDown = true
    await authenticate({ authorization: `Bearer ${value}` })
    await uses.close()
    expect([trouble.length, await usedAt(key.id)]).toEqual([1, null])
    isDown = false
    await authenticate({ authorization: `Bearer ${value}` })
    await uses.close()
    expect(await usedAt(key.id)).toBe(NOON)
  })
})
