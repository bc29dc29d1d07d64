import type { ExecutionResult } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locationsTopic } from '../../../src/subgraphs/telemetry/topics.ts'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'

const VEHICLE = '{ __typename id name trips(first: 1) { nodes { distance } } }'
const FOLLOW = `subscription { events(types: ["vehicle.modified"]) { id type subject { ... on Vehicle ${VEHICLE} } connection { status } } }`
const SYNC = 'subscription ($id: ID!) { syncProgress(syncId: $id) { id status connection { status } } }'
const LOCATIONS = 'subscription { vehicleLocations { speed vehicle { name } } }'

interface EventsResult {
  readonly events: { readonly id: string }
}

let federation: FederationHarness
let gateway: GatewayClient
let position = 1000

beforeAll(async () => {
  federation = await FederationHarness.start()
  gateway = await federation.startGateway()
})
afterAll(() => federation[Symbol.asyncDispose]())

const openAt = (name: string) => federation.server(name).streams.open
const appendEvent = (type?: string) => federation.appendEvent((position += 1), type)
const idIn = ({ value }: IteratorResult<ExecutionResult<EventsResult>>) =>
  (value as ExecutionResult<EventsResult>).data?.events.id

/** Starts a subscription, and waits until its subgraph serves it. */
async function openSubscription<Data>(query: string, at: string, variables: object = {}) {
  const answers = gateway.subscribe<Data>(query, variables)
  const first = answers.next()
  await until(() => openAt(at) > 0)
  return { answers, first }
}

describe('a subscription of a subgraph in another process', () => {
  test('resolves fields of other subgraphs at the time of each event', async () => {
    const { answers, first } = await openSubscription<EventsResult>(FOLLOW, 'events')
    const id = await appendEvent()
    const query = `{ vehicles(first: 1) { nodes ${VEHICLE} } connection { status } }`
    const { data } = await gateway.graphql(query)
    const { vehicles, connection } = data as { vehicles: { nodes: object[] }; connection: object }
    const expected = { type: 'vehicle.modified', subject: vehicles.nodes[0], connection }
    expect((await first).value).toEqual({ data: { events: { id, ...expected } } })

    await federation.db.rows('UPDATE vehicles SET name = ? WHERE id = ?', [
      'Renamed',
      (vehicles.nodes[0] as { id: string }).id,
    ])
    await appendEvent()
    expect((await answers.next()).value).toMatchObject({ data: { events: { subject: { name: 'Renamed' } } } })
    await answers.return?.()
  })

  test('ends at the subgraph when its subscriber leaves, even without events', async () => {
    const { answers } = await openSubscription<EventsResult>(FOLLOW, 'events')
    expect(openAt('events')).toBe(1)
    await answers.return?.()
    await until(() => openAt('events') === 0)
  })

  test('that ends at the subgraph ends for its subscriber', async () => {
    const [{ syncs }] = federation.fleet.connections as [(typeof federation.fleet.connections)[number]]
    const finished = syncs.find(({ status }) => status === 'completed')!
    const answers = gateway.subscribe(SYNC, { id: finished.id })
    const got: unknown[] = []
    for await (const answer of answers) got.push(answer)
    expect(got).toMatchObject([{ data: { syncProgress: { id: finished.id, status: 'COMPLETED' } } }])
    expect(openAt('connections')).toBe(0)
  })

  test('that is refused has an error', async () => {
    const unknown = SYNC.replace('$id)', '"sync_01J8ZQ4N5R8X2V6T3W1Y7K9M0P")').replace('($id: ID!) ', '')
    await expect(gateway.subscribe(unknown).next()).rejects.toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ])
    const after = 'subscription { events(after: "evt_01J8ZQ4N5R8X2V6T3W1Y7K9M0P") { id } }'
    const { value } = await gateway.subscribe(after).next()
    expect(value).toMatchObject({ errors: [{ path: ['events'], extensions: { code: 'GONE' } }] })
  })
})

describe('when the subgraph stops', () => {
  test('a subscription to the event log resumes without gap or duplicate', async () => {
    const { answers, first } = await openSubscription<EventsResult>(FOLLOW, 'events')
    const expected = [await appendEvent()]
    const got = [idIn(await first)]
    for (let round = 0; round < 3; round++) {
      await federation.stopSubgraph('events')
      expected.push(await appendEvent(), await appendEvent())
      await appendEvent('vehicle.removed')
      await federation.startSubgraph('events')
      expected.push(await appendEvent())
      for (let more = 0; more < 3; more++) got.push(idIn(await answers.next()))
    }
    expect(got).toEqual(expected)
    await answers.return?.()
    await until(() => openAt('events') === 0)
  })

  test('a subscription without an event so far misses none either', async () => {
    const { answers, first } = await openSubscription<EventsResult>(FOLLOW, 'events')
    await federation.stopSubgraph('events')
    const id = await appendEvent()
    await federation.startSubgraph('events')
    expect(idIn(await first)).toBe(id)
    await answers.return?.()
  })

  test('a subscription that cannot resume ends with an error', async () => {
    const { first } = await openSubscription(LOCATIONS, 'telemetry')
    await federation.stopSubgraph('telemetry')
    await expect(first).rejects.toMatchObject([
      {
        message: 'The subgraph telemetry ended the subscription. Subscribe again.',
        extensions: { code: 'SERVICE_UNAVAILABLE' },
      },
    ])
    const { value } = await gateway.subscribe(LOCATIONS).next()
    expect(value).toMatchObject({ errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] })
    await federation.startSubgraph('telemetry')
  })
})

test('a gateway with one remote subgraph serves subscriptions across local and remote ones', async () => {
  const remoteSubgraphs = new Map([...federation.remoteSubgraphs()].filter(([name]) => name === 'fleet'))
  const mixed = await federation.startGateway({ remoteSubgraphs })
  const answers = mixed.subscribe<EventsResult>(
    `subscription { events(after: "${await appendEvent()}") { id subject { ... on Vehicle ${VEHICLE} } } }`,
  )
  const id = await appendEvent()
  expect((await answers.next()).value).toMatchObject({
    data: { events: { id, subject: { name: 'Renamed' } } },
  })
  await answers.return?.()
})

test('new locations are read with their drivers in one batch, whatever their number', async () => {
  const { db, fleet, notifier } = federation
  const local = await federation.startGateway({ remoteSubgraphs: new Map() })
  const [{ latestLocations, drivers }] = fleet.connections as [(typeof fleet.connections)[number]]
  let statements: string[] = []
  const stop = db.onStatement((sql) => void statements.push(sql))
  const answers = local.subscribe('subscription { vehicleLocations { vehicle { id } driver { id } } }')
  const first = answers.next()
  await until(() =>
    statements.some((sql) => sql.includes('>= ?') && sql.includes('latest_vehicle_locations')),
  )
  const statementsFor = async (count: number, next: Promise<unknown>) => {
    const stamp = Date.now()
    await db.transaction(async (tx) => {
      for (const { vehicleId } of latestLocations.slice(0, count))
        await tx.run(
          'UPDATE `latest_vehicle_locations` SET `modifiedAt` = ?, `driverId` = ? WHERE `vehicleId` = ?',
          [stamp, drivers[0]!.id, vehicleId],
        )
    })
    statements = []
    notifier.notify(locationsTopic(fleet.id))
    await next
    for (let answer = 1; answer < count; answer++) await answers.next()
    return statements.filter((sql) => sql.includes('`connections`') || sql.includes('`drivers`')).length
  }
  const ofOne = await statementsFor(1, first)
  expect(latestLocations.length).toBeGreaterThan(2)
  expect(await statementsFor(3, answers.next())).toBe(ofOne)
  stop()
  await answers.return?.()
})
