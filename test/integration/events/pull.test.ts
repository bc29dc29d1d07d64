import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { DAY, dialects, eventRow, idAt } from '../../support/factories.ts'
import { seedFleet } from '../../support/rest/fleet.ts'
import {
  type EventLogHarness,
  sequenceAll,
  startEventLogHarness,
} from '../../support/harnesses/event-log-harness.ts'

const TYPES = [
  'vehicle.added',
  'safety.added',
  'driver.added',
  'vehicle.location_updated',
  'connection.updated',
]

describe.each(dialects)('GET /tsp/v1/events on %s', (dialect) => {
  let harness: EventLogHarness
  let entries: EventRow[]

  beforeAll(async () => {
    harness = await startEventLogHarness(dialect)
    const other = await seedFleet(harness.rest)
    const owners = [...harness.seeded.connections, other.connections[0]!].map(({ connection }) => ({
      applicationId: connection.applicationId,
      connectionId: connection.id,
    }))
    entries = Array.from({ length: 30 }, (_, at) =>
      eventRow(owners[at % owners.length]!, { type: TYPES[at % TYPES.length]!, detail: { number: at } }),
    )
    await harness.rest.db.transaction((tx) => tx.insert(tableOf(EventRow), entries))
    await sequenceAll(harness.rest.db)
  })

  afterAll(() => harness[Symbol.asyncDispose]())

  const ownEvents = () => entries.filter(({ applicationId }) => applicationId === harness.seeded.id)
  const defaultEvents = () => ownEvents().filter(({ type }) => type !== 'vehicle.location_updated')
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const get = (query: string, client = harness.seeded.client) => harness.rest.get(`/events?${query}`, client)

  test('returns the log of the application in its order, page by page', async () => {
    const read: string[] = []
    for (let after = ''; ;) {
      const { body } = await get(`limit=3${after}`)
      read.push(...idsOf(body.results))
      if (!body.next) break
      after = `&cursor=${body.next}`
    }
    expect(read).toEqual(idsOf(defaultEvents()))
  })

  test('continues after a given event', async () => {
    for (const at of [0, 4, defaultEvents().length - 1]) {
      const { body } = await get(`after=${defaultEvents()[at]!.id}`)
      expect(idsOf(body.results)).toEqual(idsOf(defaultEvents().slice(at + 1)))
    }
  })

  test('returns only the events of the connection to a connection token', async () => {
    const { body } = await get('', harness.seeded.narrowed(1))
    const own = harness.seeded.connections[1]!.connection.id
    expect(idsOf(body.results)).toEqual(
      idsOf(defaultEvents().filter(({ connectionId }) => connectionId === own)),
    )
    const { body: none } = await get(
      `connectionIds=${harness.seeded.connections[0]!.connection.id}`,
      harness.seeded.narrowed(1),
    )
    expect(none.results).toEqual([])
  })

  test('filters by type and connection, and uses the requested type names', async () => {
    const { id } = harness.seeded.connections[0]!.connection
    const { body } = await get(`types=safety_event.added,vehicle.location_updated&connectionIds=${id}`)
    const names = new Map([
      ['safety.added', 'safety_event.added'],
      ['vehicle.location_updated', 'vehicle.location_updated'],
    ])
    const expected = ownEvents().filter(({ type, connectionId }) => names.has(type) && connectionId === id)
    expect(body.results).toEqual(
      expected.map((entry) => ({
        id: entry.id,
        type: names.get(entry.type),
        timestamp: new Date(entry.occurredAt).toISOString(),
        detail: entry.detail,
      })),
    )
    expect(body.results.length).toBeGreaterThan(1)
  })

  test.each([
    ['an unknown type', () => 'types=trip.added', 400, '{requestQuery}.types'],
    ['an id that is not an event id', () => `after=${newId('sync')}`, 400, '{requestQuery}.after'],
    ['an unknown event', () => `after=${newId('event')}`, 400, '{requestQuery}.after'],
    ['an event of another application', () => `after=${entries[2]!.id}`, 400, '{requestQuery}.after'],
    ['a limit of 0', () => 'limit=0', 400, '{requestQuery}.limit'],
  ])('refuses %s', async (_, query, status, path) => {
    const answer = await get(query())
    expect([answer.status, answer.body.code]).toEqual([status, 'bad_request'])
    expect(answer.body.detail).toMatchObject([{ path }])
  })

  test('returns 410 for an event older than the log', async () => {
    const { status, body } = await get(`after=${idAt('event', Date.now() - 2 * DAY)}`)
    expect([status, body.code]).toEqual([410, 'gone'])
    expect(body.detail).toContain('modifiedAfter')
  })

  test('costs one statement, and one each for tokens and keys', async () => {
    expect((await get('types=vehicle.added')).statements).toHaveLength(1)
    expect((await get('types=vehicle.added,connection.updated')).statements).toHaveLength(3)
  })
})
