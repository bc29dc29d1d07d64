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
import { makeHome } from '../../prove/service-process.ts'
import { stores } from '../../support/stores.ts'

const WRITERS = 8
const TRANSACTIONS = 40
const READERS = 3

const owners = [1, 2].map(() => ({ applicationId: newId('application'), connectionId: newId('connection') }))

/** Writes transactions of a few events each, which commit later than they were written; gives how many for whom. */
async function write(db: Database, writer: number): Promise<number[]> {
  const counts = [0, 0]
  for (let number = 0; number < TRANSACTIONS; number++) {
    const whose = randomInt(owners.length)
    const events = Array.from({ length: randomInt(1, 6) }, (_, at) => ({
      type: 'vehicle.modified',
      subjectId: null,
      detail: { writer, number, at },
    }))
    await db.transaction(async (tx) => {
      await appendEvents(tx, { ...owners[whose]!, at: Date.now() }, events)
      for (let pause = randomInt(6); pause > 0; pause--) await tx.rows('SELECT 1')
    })
    counts[whose]! += events.length
  }
  return counts
}

interface Seen {
  readonly id: string
  readonly position: number | null
  readonly detail: { readonly writer?: number; readonly number?: number; readonly at?: number }
}

/** Reads on from what it has seen, few at a time, until the writers have ended and there is no more. */
async function readAll(reads: EventRepository, haveEnded: () => boolean): Promise<Seen[]> {
  const seen: Seen[] = []
  for (;;) {
    const isLast = haveEnded()
    const page = await reads.page({ after: seen.at(-1)?.id ?? null }, randomInt(1, 20))
    seen.push(...page.rows)
    if (page.rows.length === 0 && isLast) return seen
  }
}

describe.each(stores)('the log on %s', (store) => {
  test('shows nobody who has seen a position anything new before it, whoever writes at once', async () => {
    const home = await makeHome(store)
    const dbs: Database[] = []
    // An embedded database has one connection in a process.
    const open = async () => (store === 'sqlite' && dbs[0] ? dbs[0] : dbs[dbs.push(await home.open()) - 1]!)
    await (await open()).migrate()
    const writers = await Promise.all(Array.from({ length: WRITERS }, open))
    const readers = await Promise.all(Array.from({ length: READERS }, open))
    const placers = [0, 1].map((at) =>
      startEventSequencer(
        dbs[at % dbs.length]!.inBackground(),
        createInProcessNotifier(),
        createLog('silent'),
      ),
    )
    let ended = false
    let placing = true
    const placed = placers.map(async ({ sequence }) => {
      while (placing) await sequence()
    })
    const read = readers.flatMap((db) =>
      owners.map(({ applicationId }) => {
        const logCaches = createEventLogCaches({ db: db.inBackground(), notifier: createInProcessNotifier() })
        const from = {
          db: db.inBackground(),
          logCaches,
          clock: systemClock,
          secrets: null,
          linkUrl: () => '',
        }
        const reads = eventRepository(from, { applicationId, connectionIds: null })
        return readAll(reads, () => ended)
      }),
    )
    const written = await Promise.all(writers.map((db, at) => write(db.inBackground(), at)))
    placing = false
    await Promise.all(placed)
    await placers[0]!.sequence()
    ended = true
    const lists = await Promise.all(read)
    for (const [at, list] of lists.entries()) {
      const whose = at % owners.length
      const count = written.reduce((sum, counts) => sum + counts[whose]!, 0)
      expect(list.map(({ position }) => position)).toEqual(
        Array.from({ length: count }, (_, place) => place + 1),
      )
      expect(list).toEqual(lists[whose])
      for (let writer = 0; writer < WRITERS; writer++)
        expectInOrder(list.filter(({ detail }) => detail.writer === writer))
    }
    for (const { close } of placers) await close()
    for (const db of dbs) await db.close()
    await home.remove()
  })
})

/** What one writer wrote one after the other stands so in the log. */
function expectInOrder(list: readonly Seen[]) {
  const order = list.map(({ detail }) => Number(detail.number) * 100 + Number(detail.at))
  expect(order).toEqual(order.toSorted((one, other) => one - other))
}
