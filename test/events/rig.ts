import { createLog } from '../../src/log.ts'
import { inProcessDoorbell } from '../../src/queue/doorbell.ts'
import type { Database, Transaction } from '../../src/storage/database.ts'
import type { Dialect } from '../../src/storage/dialect.ts'
import { announce, type Announcement } from '../../src/storage/outbox.ts'
import { dispatcher } from '../../src/webhooks/dispatch.ts'
import type { Connection } from '../../src/subgraphs/connections/connection.ts'
import type { Party, PlantedApplication } from '../factories.ts'
import { plantFleet } from '../rest/fleet.ts'
import { type Rest, startRest } from '../rest/rig.ts'

/** What a caller of the log reads. */
export interface Told {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a detail is whatever came
  readonly detail: any
}

/** The REST layer with a fleet that has a record of each kind, and its log. */
export interface LogRig extends AsyncDisposable {
  readonly rest: Rest
  readonly planted: PlantedApplication
  /** Runs what announces something, and gives it its place. */
  tell(work: (tx: Transaction) => Promise<unknown>): Promise<void>
  /** Announces of one of the connections of the fleet. */
  announce(at: number, ...announcements: Announcement[]): Promise<void>
  /** What `GET /tsp/v1/events` answers. */
  read(query?: string, party?: Party): Promise<Told[]>
}

export async function startLog(dialect: Dialect): Promise<LogRig> {
  const rest = await startRest({ dialect })
  const planted = await plantFleet(rest)
  const tell: LogRig['tell'] = async (work) => {
    await rest.db.transaction(async (tx) => void (await work(tx)))
    await place(rest.db)
  }
  return {
    rest,
    planted,
    tell,
    announce: (at, ...announcements) =>
      tell((tx) => announce(tx, originOf(planted.connections[at]!.connection), announcements)),
    async read(query = '', party = planted.party) {
      const { body } = await rest.get(`/events?limit=1000${query}`, party)
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

/** Gives every entry its place. */
export async function place(db: Database): Promise<void> {
  const events = dispatcher(db, inProcessDoorbell(), createLog('silent'))
  await events.dispatch()
  await events.close()
}
