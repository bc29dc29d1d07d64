import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import { appendEvents } from '../../../src/storage/outbox.ts'
import {
  type EventRepository,
  eventRepository,
  createEventLogCaches,
} from '../../../src/subgraphs/events/repository.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { startEventSequencer } from '../../../src/webhooks/event-sequencer.ts'
import { makeHome } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'

const WRITERS = 8
const TRANSACTIONS = 40
const READERS = 3

const owners = [1, 2].map(() => ({ applicationId: newId('application'), connectionId: newId('connection') }))

/** Writes transactions of a few events with delayed commits. Returns the number of events for each owner. */
async function write(db: Database, writer: number): Promise<number[]> {
  const counts = [0, 0]
  for (let number = 0; number < TRANSACTIONS; number++) {
    const owner = randomInt(owners.length)
    const events = Array.from({ length: randomInt(1, 6) }, (_, index) => ({
      type: 'vehicle.modified',
      subjectId: null,
      detail: { writer, number, index },
    }))
    await db.transaction(async (tx) => {
      await appendEvents(tx, { ...owners[owner]!, at: Date.now() }, events)
      for (let pause = randomInt(6); pause > 0; pause--) await tx.rows('SELECT 1')
    })
    counts[owner]! += events.length
  }
  return counts
}

interface SeenEvent {
  readonly id: string
  readonly position: number | null
  readonly detail: { readonly writer?: number; readonly number?: number; readonly index?: number }
}

/** Reads small pages from the last event on, until the writers have ended and the log is read. */
async function readAll(reads: EventRepository, haveEnded: () => boolean): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = []
  for (;;) {
    const isLast = haveEnded()
    const page = await reads.page({ after: seen.at(-1)?.id ?? null, first: randomInt(1, 20) })
    seen.push(...page.rows)
    if (page.rows.length === 0 && isLast) return seen
  }
}

describe.each(stores)('the log on %s', (store) => {
  test('never gains an entry before a position that a reader has seen, with concurrent writers', async () => {
    const home = await makeHome(store)
    const dbs: Database[] = []
    // An embedded database has one connection per process.
    const open = async () => (store === 'sqlite' && dbs[0] ? dbs[0] : dbs[dbs.push(await home.open()) - 1]!)
    await (await open()).migrate()
    const writers = await Promise.all(Array.from({ length: WRITERS }, open))
    const readers = await Promise.all(Array.from({ length: READERS }, open))
    const sequencers = [0, 1].map((at) =>
      startEventSequencer(
        dbs[at % dbs.length]!.inBackground(),
        createInProcessNotifier(),
        createLog('silent'),
      ),
    )
    let hasEnded = false
    let isSequencing = true
    const sequencing = sequencers.map(async (sequencer) => {
      while (isSequencing) await sequencer.assignPositions()
    })
    const read = readers.flatMap((db) =>
      owners.map(({ applicationId }) => {
        const logCaches = createEventLogCaches({ db: db.inBackground(), notifier: createInProcessNotifier() })
        const deps = {
          db: db.inBackground(),
          logCaches,
          clock: systemClock,
          secrets: null,
          linkUrl: () => '',
        }
        const reads = eventRepository(deps, { applicationId, connectionIds: null })
        return readAll(reads, () => hasEnded)
      }),
    )
    const written = await Promise.all(writers.map((db, at) => write(db.inBackground(), at)))
    isSequencing = false
    await Promise.all(sequencing)
    await sequencers[0]!.assignPositions()
    hasEnded = true
    const lists = await Promise.all(read)
    for (const [at, list] of lists.entries()) {
      const owner = at % owners.length
      const count = written.reduce((sum, counts) => sum + counts[owner]!, 0)
      expect(list.map(({ position }) => position)).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      )
      expect(list).toEqual(lists[owner])
      for (let writer = 0; writer < WRITERS; writer++)
        expectInOrder(list.filter(({ detail }) => detail.writer === writer))
    }
    for (const { close } of sequencers) await close()
    for (const db of dbs) await db.close()
    await home.remove()
  })
})

/** Checks that the events of one writer are in the order of its writes. */
function expectInOrder(list: readonly SeenEvent[]) {
  const order = list.map(({ detail }) => Number(detail.number) * 100 + Number(detail.index))
  expect(order).toEqual(order.toSorted((one, other) => one - other))
}
