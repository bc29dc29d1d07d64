import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { registerWrite, removeAbandonedWrites, readWatermark } from '../../../src/storage/in-flight-writes.ts'
import { inVersionedTransaction } from '../../../src/sync/ingest/versioned-transaction.ts'
import { toIso } from '../../../src/domain/time.ts'
import {
  callerOf,
  dialects,
  type ApiClient,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { contextsOver, supergraph } from '../../support/graph/graph-harness.ts'
import { IncrementalReader } from '../../support/storage/incremental-reader.ts'

const CONNECTIONS = 4
const VEHICLES = 60
const HOUR = 3_600_000
const executor = createInProcessExecutor(supergraph)

const fleet: Parameters<typeof seedApplication>[1][number] = (owner) => ({
  vehicles: Array.from({ length: VEHICLES }, () => vehicleRow(owner)),
})

/** Returns a promise and the function that resolves it. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

describe.each(dialects)('incremental reads on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  beforeEach(async () => {
    application = await seedApplication(db, Array(CONNECTIONS).fill(fleet))
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const reader = (client: ApiClient, pageSize = 7) =>
    new IncrementalReader(executor, contextFor, client, pageSize)

  interface Pauses {
    /** Runs before each transaction, so also between the registration of a write and the write. */
    readonly before?: () => Promise<unknown>
    /** Runs within the transaction that writes. */
    readonly within?: () => Promise<unknown>
    readonly now?: () => number
  }

  /** Modifies some vehicles of a connection and returns the stamp. */
  function modify(at: number, vehicles: readonly number[], { before, within, now = Date.now }: Pauses = {}) {
    const { connection, vehicles: mine } = application.connections[at]!
    const transaction: Database['transaction'] = async (work) => {
      await before?.()
      return db.transaction(work)
    }
    return inVersionedTransaction(
      { db: { ...db, transaction }, clock: { now } },
      connection,
      async (tx, stamp) => {
        for (const vehicle of vehicles)
          await tx.run('UPDATE `vehicles` SET `modifiedAt` = ? WHERE `id` = ?', [stamp, mine[vehicle]!.id])
        await within?.()
        return stamp
      },
    )
  }

  /** Returns the expected copy of a caller: the id and stamp of each vehicle. */
  async function stored(connectionId: string | null): Promise<Map<string, string>> {
    const rows = await db.rows<{ id: string; modifiedAt: number }>(
      'SELECT `id`, `modifiedAt` FROM `vehicles` WHERE `applicationId` = ? AND (? IS NULL OR `connectionId` = ?)',
      [application.id, connectionId, connectionId],
    )
    return new Map(rows.map(({ id, modifiedAt }) => [id, toIso(Number(modifiedAt))]))
  }

  const openWrites = async () =>
    (await db.rows('SELECT 1 FROM `open_writes` WHERE `applicationId` = ?', [application.id])).length

  test('miss nothing while writers of several connections commit out of order', async () => {
    const pause = () => wait(Math.random() * 6)
    const readers = [
      ...[1, 7, 100].map((size) => reader(application.client, size)),
      ...[0, 1, 2, 3].map((at) => reader(application.narrowed(at))),
    ]
    let done = false
    const writing = Promise.all(
      Array.from({ length: 2 * CONNECTIONS }, async (_, writer) => {
        // Each vehicle is written once, so a missed write never shows up later.
        for (let at = writer < CONNECTIONS ? 0 : 1; at < VEHICLES; at += 4)
          await modify(writer % CONNECTIONS, [at, at + 2], { before: pause, within: pause })
      }),
    ).finally(() => (done = true))
    const reading = readers.map(async (one) => {
      while (!done) {
        await one.catchUp()
        await pause()
      }
      await one.catchUp()
    })
    await Promise.all([writing, ...reading])
    expect(await openWrites()).toBe(0)
    for (const one of readers.slice(0, 3)) expect(one.copy).toEqual(await stored(null))
    for (const [at, { connection }] of application.connections.entries())
      expect(readers[3 + at]!.copy).toEqual(await stored(connection.id))
  })

  test('hide writes later than an open write, and show them after its end', async () => {
    const [applicationReader, connectionReader] = [
      reader(application.client),
      reader(application.narrowed(1)),
    ]
    const [registered, hold] = [gate(), gate()]
    let transactions = 0
    const before = async () => {
      if (transactions++ === 0) return
      registered.open()
      await hold.opened
    }
    const early = modify(0, [0], { before })
    await registered.opened
    const later = await modify(1, [1])
    await applicationReader.catchUp()
    await connectionReader.catchUp()
    const { id } = application.connections[1]!.vehicles[1]!
    expect(connectionReader.copy.get(id)).toBe(toIso(later))
    expect(applicationReader.copy.get(id)).toBeUndefined()
    hold.open()
    expect(await early).toBeLessThan(later)
    await applicationReader.catchUp()
    expect(applicationReader.copy).toEqual(await stored(null))
  })

  // Transactions of an embedded database never run at the same time.
  test.each(dialect === 'mysql' ? ['slow to commit'] : [])('wait for a transaction that is %s', async () => {
    const applicationReader = reader(application.client)
    const [written, hold] = [gate(), gate()]
    const within = () => {
      written.open()
      return hold.opened
    }
    const early = modify(0, [0], { within })
    await written.opened
    await modify(1, [1])
    await applicationReader.catchUp()
    // The running transaction locks its registration, so the cleanup skips it without waiting.
    await removeAbandonedWrites(db, Date.now() + HOUR)
    hold.open()
    await early
    await applicationReader.catchUp()
    expect(applicationReader.copy).toEqual(await stored(null))
  })

  test('give the later commit the later stamp within a connection', async () => {
    const [registered, hold] = [gate(), gate()]
    let transactions = 0
    const before = async () => {
      if (transactions++ !== 1) return
      registered.open()
      await hold.opened
    }
    const early = modify(0, [0], { before })
    await registered.opened
    const later = await modify(0, [1])
    hold.open()
    expect(await early).toBeGreaterThan(later)
    expect(await openWrites()).toBe(0)
  })

  test('give ascending stamps in an application, with any clocks', async () => {
    const ahead = Date.now() + HOUR
    const { id } = application.connections[1]!.connection
    await db.transaction((tx) =>
      tx.run('UPDATE `connections` SET `lastStamp` = ? WHERE `id` = ?', [ahead, id]),
    )
    const stamps = [
      await modify(0, [0], { now: () => 0 }),
      await modify(1, [1], { now: () => 0 }),
      await modify(2, [2], { now: () => Date.now() - HOUR }),
      await modify(0, [3]),
    ]
    expect(stamps).toEqual([...new Set(stamps)].sort((one, other) => one - other))
    const [row] = await db.rows<{ newest: number }>(
      'SELECT MAX(`lastStamp`) AS newest FROM `connections` WHERE `applicationId` = ?',
      [application.id],
    )
    expect(Number(row?.newest)).toBe(stamps.at(-1))
  })

  test('do not wait for a failed write', async () => {
    const within = () => Promise.reject(new Error('the write failed'))
    await expect(modify(0, [0], { within })).rejects.toThrow('the write failed')
    expect(await openWrites()).toBe(0)
  })

  describe('after a crash between the registration of a write and its commit', () => {
    const crash = () => {
      const { connection } = application.connections[0]!
      return registerWrite(
        db,
        { applicationId: application.id, connectionId: connection.id },
        Date.now() - HOUR,
        0,
      )
    }

    test('continue after the next write of the connection', async () => {
      const applicationReader = reader(application.client)
      await crash()
      const later = await modify(1, [1])
      expect(Number((await readWatermark(db, callerOf(application.client)))?.parameters[0])).toBeLessThan(
        later,
      )
      await modify(0, [0])
      await applicationReader.catchUp()
      expect(applicationReader.copy).toEqual(await stored(null))
    })

    test('continue after the cleanup of the write', async () => {
      const applicationReader = reader(application.client)
      await crash()
      await modify(1, [1])
      await removeAbandonedWrites(db, Date.now())
      await applicationReader.catchUp()
      expect(applicationReader.copy).toEqual(await stored(null))
    })

    test('see a write that was only slow with a later stamp, as it starts over', async () => {
      const applicationReader = reader(application.client)
      const [registered, hold] = [gate(), gate()]
      let transactions = 0
      const before = async () => {
        if (transactions++ !== 1) return
        registered.open()
        await hold.opened
      }
      const slow = modify(0, [0], { before })
      await registered.opened
      const later = await modify(1, [1])
      await removeAbandonedWrites(db, Date.now() + HOUR)
      await applicationReader.catchUp()
      hold.open()
      expect(await slow).toBeGreaterThan(later)
      await applicationReader.catchUp()
      expect(applicationReader.copy).toEqual(await stored(null))
    })
  })

  test('need no statement for one connection, and one statement across connections', async () => {
    const statements: string[] = []
    const stop = db.onStatement((sql) => statements.push(sql))
    await modify(0, [0])
    statements.length = 0
    expect(await readWatermark(db, callerOf(application.narrowed(0)))).toBeNull()
    expect(statements).toHaveLength(0)
    const bounds = await Promise.all([1, 2, 3].map(() => readWatermark(db, callerOf(application.client))))
    expect(bounds).toEqual(Array(3).fill(await readWatermark(db, callerOf(application.client))))
    expect(statements).toHaveLength(2)
    stop()
  })
})
