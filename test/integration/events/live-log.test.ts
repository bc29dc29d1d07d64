import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '../../../src/domain/ids.ts'
import { newId } from '../../../src/domain/ids.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import { appendEvents, EventRow } from '../../../src/storage/outbox.ts'
import { databaseUnavailable } from '../../../src/storage/timeouts.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import type { SharedStream } from '../../../src/subgraphs/streams/shared-stream.ts'
import {
  type EventFilter,
  eventRepository,
  createEventLogCaches,
} from '../../../src/subgraphs/events/repository.ts'
import { eventsTopic } from '../../../src/subgraphs/events/topics.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { type EventSequencer, startEventSequencer } from '../../../src/webhooks/event-sequencer.ts'
import { dialects, eventRow, masterEncryption, temporaryDatabase } from '../../support/factories.ts'
import { until } from '../../support/federation/federation-harness.ts'
import { silent } from '../../support/graph/graph-harness.ts'

/** Polling interval that never elapses, for tests that do not test polling. */
const NEVER_MS = 1_000_000

describe.each(dialects)('the live log on %s', (dialect) => {
  let db: Database & AsyncDisposable
  beforeAll(async () => void (db = await temporaryDatabase(dialect)))
  afterAll(() => db[Symbol.asyncDispose]())

  class Application {
    readonly id = newId('application')
    readonly connections = [newId('connection'), newId('connection')] as const
    readonly notifier = createInProcessNotifier()
    isUnavailable = false
    readonly flakyDb = {
      dialect,
      rows: async <T>(sql: string, parameters?: readonly unknown[]): Promise<T[]> => {
        if (this.isUnavailable) throw databaseUnavailable(new Error('gone'))
        return db.rows<T>(sql, parameters)
      },
    }
    readonly logs
    private position = 0

    constructor(pollMs = NEVER_MS) {
      this.logs = createEventLogCaches({ db: this.flakyDb, notifier: this.notifier }, pollMs)
    }

    follow(filter: EventFilter = {}, connectionId: Id<'connection'> | null = null) {
      const tenant = { applicationId: this.id, connectionIds: connectionId && [connectionId] }
      const deps = { db: this.flakyDb, logCaches: this.logs, clock: systemClock, secrets: masterEncryption }
      return eventRepository({ ...deps, linkUrl: () => '' }, tenant).follow(filter)
    }

    /** Adds entries at the next positions, alternating between the connections. */
    async add(count: number, types = ['vehicle.added']): Promise<string[]> {
      const rows = Array.from({ length: count }, () => {
        const position = (this.position += 1)
        const connectionId = this.connections[position % 2] as Id<'connection'>
        return eventRow(
          { applicationId: this.id, connectionId },
          { position, type: types[position % types.length] as string },
        )
      })
      await db.transaction((tx) => tx.insert(tableOf(EventRow), rows))
      return rows.map(({ id }) => id)
    }

    notify(): void {
      this.notifier.notify(eventsTopic(this.id))
    }
  }

  const idsOf = async (events: SharedStream<EventRow>, count: number): Promise<string[]> => {
    const ids: string[] = []
    while (ids.length < count) ids.push(String(((await events.next()).value as EventRow | undefined)?.id))
    return ids
  }

  /** Waits until all streams have their start position. */
  const started = (streams: readonly SharedStream<EventRow>[]) =>
    Promise.all(streams.map((each) => each.idBeforeStart()))

  test('is read once for each notification, whatever the number of followers', async () => {
    const application = new Application()
    await application.add(3)
    const followers = Array.from({ length: 100 }, () => application.follow())
    await started(followers)
    const taken = followers.map((follower) => idsOf(follower, 5))
    let statements = 0
    const stop = db.onStatement(() => (statements += 1))
    const added = await application.add(5)
    statements = 0
    application.notify()
    for (const ids of await Promise.all(taken)) expect(ids).toEqual(added)
    stop()
    expect(statements).toBe(1)
    expect(application.logs.size).toBe(1)
    for (const follower of followers) await follower.return?.()
    expect(application.logs.size).toBe(0)
  })

  test('returns the same objects to all followers', async () => {
    const application = new Application()
    const [one, other] = [application.follow(), application.follow()]
    await started([one, other])
    await application.add(1)
    application.notify()
    expect((await one.next()).value).toBe((await other.next()).value)
    await Promise.all([one.return?.(), other.return?.()])
  })

  test('is filtered by types, connections and the caller', async () => {
    const application = new Application()
    const types = ['vehicle.added', 'driver.added', 'driver.removed']
    const [even, odd] = application.connections
    const first = application.follow({ types: ['driver.added', 'driver.removed'] })
    const second = application.follow({ connectionIds: [odd] })
    const third = application.follow({ connectionIds: [odd, even], types: ['vehicle.added'] }, even)
    const none = application.follow({ connectionIds: [odd] }, even)
    await started([first, second, third, none])
    const ids = await application.add(12, types)
    application.notify()
    const at = (positions: number[]) => positions.map((position) => ids[position - 1])
    expect(await idsOf(first, 8)).toEqual(at([1, 2, 4, 5, 7, 8, 10, 11]))
    expect(await idsOf(second, 6)).toEqual(at([1, 3, 5, 7, 9, 11]))
    expect(await idsOf(third, 2)).toEqual(at([6, 12]))
    const ended = none.next()
    await none.return?.()
    expect((await ended).done).toBe(true)
    for (const each of [first, second, third]) await each.return?.()
  })

  test('continues from stored events to new ones without gap or duplicate', async () => {
    const application = new Application()
    const stored = await application.add(350, ['vehicle.added', 'driver.removed'])
    const types = ['driver.removed']
    const wanted = (ids: readonly string[]) => ids.filter((_, at) => at % 2 === 0)
    const followers = [0, 100, 348].map((at) => application.follow({ after: stored[at] as string, types }))
    const wantedBefore = [174, 124, 0]
    const live: string[] = []
    const writing = (async () => {
      for (let round = 0; round < 20; round++) {
        live.push(...(await application.add(30, ['vehicle.added', 'driver.removed'])))
        application.notify()
      }
    })()
    const taken = await Promise.all(
      followers.map((follower, at) => idsOf(follower, (wantedBefore[at] as number) + 300)),
    )
    await writing
    const all = wanted([...stored, ...live])
    expect(taken).toEqual(wantedBefore.map((count) => all.slice(-count - 300)))
    for (const follower of followers) await follower.return?.()
  })

  test('repeats no event for a follower from a gateway that is ahead', async () => {
    const application = new Application()
    await application.add(2)
    const slow = application.follow()
    await started([slow])
    const known = await application.add(230)
    const moved = application.follow({ after: known.at(-1) as string })
    await started([moved])
    const next = idsOf(moved, 3)
    application.notify()
    expect(await idsOf(slow, 230)).toEqual(known)
    const added = await application.add(3)
    application.notify()
    expect(await next).toEqual(added)
    await Promise.all([slow.return?.(), moved.return?.()])
  })

  test('is read from the table by a follower that is far behind', async () => {
    const application = new Application()
    const [slow, quick] = [application.follow(), application.follow()]
    await started([slow, quick])
    const ids: string[] = []
    for (let round = 0; round < 8; round++) {
      ids.push(...(await application.add(100)))
      application.notify()
      expect(await idsOf(quick, 100)).toEqual(ids.slice(-100))
    }
    expect(await idsOf(slow, 800)).toEqual(ids)
    ids.push(...(await application.add(1)))
    application.notify()
    expect(await idsOf(slow, 1)).toEqual(ids.slice(-1))
    await Promise.all([slow.return?.(), quick.return?.()])
  })

  test('reports a stalled follower when its backlog exceeds the limit', async () => {
    const application = new Application()
    const [slow, quick] = [application.follow({ types: ['driver.added'] }), application.follow()]
    await started([slow, quick])
    let stalls = 0
    const add = async (count: number) => {
      await application.add(count, ['driver.added', 'driver.removed'])
      application.notify()
      await idsOf(quick, count)
    }
    const onStall = () => void (stalls += 1)
    const stopWatching = slow.watchStall(256, onStall, 0)
    await add(512)
    expect(stalls).toBe(0)
    stopWatching()
    slow.watchStall(256, onStall, 0)
    await add(20)
    await until(() => stalls === 1)
    await add(20)
    expect(stalls).toBe(1)
    await Promise.all([slow.return?.(), quick.return?.()])
  })

  test('is polled without a notification, too', async () => {
    const application = new Application(10)
    const follower = application.follow()
    await started([follower])
    const ids = await application.add(2)
    expect(await idsOf(follower, 2)).toEqual(ids)
    await follower.return?.()
  })

  test('survives an unreachable database', async () => {
    const application = new Application()
    const stored = await application.add(150)
    const [live, stalled] = [application.follow(), application.follow({ after: stored[0] as string })]
    await started([live, stalled])
    await idsOf(stalled, 99)
    application.isUnavailable = true
    const ids = await application.add(2)
    application.notify()
    const taken = Promise.all([idsOf(live, 2), idsOf(stalled, 52)])
    await new Promise((resolve) => setImmediate(resolve))
    application.isUnavailable = false
    expect(await taken).toEqual([ids, [...stored.slice(100), ...ids]])
    await Promise.all([live.return?.(), stalled.return?.()])
  })

  test('ends at once for a follower that closes while it waits', async () => {
    const application = new Application()
    const follower = application.follow()
    const waiting = follower.next()
    await started([follower])
    await follower.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  test('refuses to follow from an unknown event', async () => {
    const application = new Application()
    const follower = application.follow({ after: newId('event') })
    await expect(follower.next()).rejects.toThrow('There is no event with this id')
    await follower.return?.()
  })

  test('is complete and in order with the real sequencer and many writers', async () => {
    const application = new Application()
    const { id: applicationId, connections } = application
    const sequencer: EventSequencer = startEventSequencer(db, application.notifier, silent)
    const first = application.follow()
    await started([first])
    const write = async (writer: number) => {
      for (let index = 0; index < 25; index++) {
        const origin = {
          applicationId,
          connectionId: connections[writer % 2] as Id<'connection'>,
          at: Date.now(),
        }
        const newEvents = [
          {
            type: `vehicle.${['added', 'modified', 'removed'][writer % 3]}`,
            subjectId: null,
            detail: { index },
          },
        ]
        await db.transaction((tx) => appendEvents(tx, origin, newEvents))
        if (index % 5 === 0) void sequencer.assignPositions()
      }
    }
    const ids = idsOf(first, 200)
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    await sequencer.assignPositions()
    const seen = await ids
    expect(new Set(seen).size).toBe(200)
    const again = application.follow({ after: seen[49] as string })
    expect(await idsOf(again, 150)).toEqual(seen.slice(50))
    await Promise.all([first.return?.(), again.return?.()])
    await sequencer.close()
    await until(() => application.logs.size === 0)
  })
})
