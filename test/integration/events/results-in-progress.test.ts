import { afterAll, beforeAll, expect, test } from 'vitest'
import { FederationHarness, until } from '../../support/federation/federation-harness.ts'
import { contextsOver } from '../../support/graph/graph-harness.ts'

/** More than may have results in progress: each has a cost of at least 100, and 10,000 may be in progress. */
const SUBSCRIPTIONS = 150
const IN_PROGRESS = 100

let federation: FederationHarness

beforeAll(async () => {
  federation = await FederationHarness.start([])
})
afterAll(() => federation[Symbol.asyncDispose]())

/** Holds the statements that read connections, so that the results that need them stay in progress. */
function heldReads() {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  let held = 0
  const { db } = federation
  return {
    db: {
      dialect: db.dialect,
      transaction: db.transaction.bind(db),
      rows: async <T>(sql: string, parameters?: readonly unknown[]): Promise<T[]> => {
        if (sql.includes('FROM `connections`')) {
          held += 1
          await released
        }
        return db.rows<T>(sql, parameters)
      },
    },
    held: () => held,
    release: () => release(),
  }
}

test('a part of the results of one event is in progress at one time, and every subscription gets all events', async () => {
  const reads = heldReads()
  const contextFor = contextsOver(reads.db, federation.notifier)
  let contexts = 0
  const limits = { sockets: 1000, subscriptions: 1000, subscriptionDocuments: 1000, operationsPerSocket: 10 }
  const gateway = await federation.startGateway({
    limits,
    contextFor: (requester, consistency) => {
      contexts += consistency === 'newest' ? 1 : 0
      return contextFor(requester, consistency)
    },
  })
  const after = await federation.appendEvent(9000)
  // Different names, because equal subscriptions share their results.
  const subscriptions = Array.from({ length: SUBSCRIPTIONS }, (_, at) =>
    gateway.subscribe<{ e: { id: string } }>(
      `subscription S${at}($after: ID) { e: events(after: $after) { id connection { status } } }`,
      { after },
    ),
  )
  const received = subscriptions.map((): (string | undefined)[] => [])
  const reading = subscriptions.map(async (events, at) => {
    for await (const { data } of events) received[at]!.push(data?.e.id)
  })
  await until(() => contexts === SUBSCRIPTIONS)
  const sent: string[] = []
  for (const position of [9001, 9002, 9003]) sent.push(await federation.appendEvent(position))
  await until(() => reads.held() > 0 && contexts >= SUBSCRIPTIONS + IN_PROGRESS)
  // A result that may begin would have begun before the answer to a later request of another application.
  const { data } = await gateway.graphql('{ __typename }', {}, federation.fleets.b.narrowed(0))
  expect(data).toEqual({ __typename: 'Query' })
  expect(contexts).toBe(SUBSCRIPTIONS + IN_PROGRESS)
  reads.release()
  await until(() => received.every(({ length }) => length === sent.length))
  expect(received).toEqual(subscriptions.map(() => sent))
  await Promise.all(subscriptions.map((events) => events.return?.()))
  await Promise.all(reading)
})
