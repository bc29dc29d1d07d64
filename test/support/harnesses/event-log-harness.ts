import { createLog } from '../../../src/platform/logging/log.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database, Transaction } from '../../../src/storage/database.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { appendEvents, type NewEvent } from '../../../src/storage/outbox.ts'
import { startEventSequencer } from '../../../src/webhooks/event-sequencer.ts'
import type { Connection } from '../../../src/subgraphs/connections/connection.ts'
import type { ApiClient, SeededApplication } from '../factories.ts'
import { seedFleet } from '../rest/fleet.ts'
import { type RestHarness, startRest } from '../rest/rest-harness.ts'

/** A page of the event log, as a caller reads it. */
export interface EventPage {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a detail is any JSON
  readonly detail: any
}

/** The REST layer with a fleet that has a record of each kind, and its event log. */
export interface EventLogHarness extends AsyncDisposable {
  readonly rest: RestHarness
  readonly seeded: SeededApplication
  /** Runs work that records events, and assigns their log positions. */
  record(work: (tx: Transaction) => Promise<unknown>): Promise<void>
  /** Records events of one of the fleet's connections. */
  announce(at: number, ...announcements: NewEvent[]): Promise<void>
  /** Reads the pages of `GET /tsp/v1/events`. */
  read(query?: string, client?: ApiClient): Promise<EventPage[]>
}

export async function startEventLogHarness(dialect: Dialect): Promise<EventLogHarness> {
  const rest = await startRest({ dialect })
  const seeded = await seedFleet(rest)
  const record: EventLogHarness['record'] = async (work) => {
    await rest.db.transaction(async (tx) => void (await work(tx)))
    await sequenceAll(rest.db)
  }
  return {
    rest,
    seeded,
    record,
    announce: (at, ...announcements) =>
      record((tx) => appendEvents(tx, originOf(seeded.connections[at]!.connection), announcements)),
    async read(query = '', client = seeded.client) {
      const { body } = await rest.get(`/events?limit=1000${query}`, client)
      return body.results
    },
    [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose](),
  }
}

export const originOf = ({ id, applicationId }: Connection, at = Date.now()) => ({
  applicationId,
  connectionId: id,
  at,
})

/** Assigns a log position to every entry. */
export async function sequenceAll(db: Database): Promise<void> {
  const sequencer = startEventSequencer(db, createInProcessNotifier(), createLog('silent'))
  await sequencer.assignPositions()
  await sequencer.close()
}
