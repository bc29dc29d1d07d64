import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContextFactory } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { createOnDemandPoll } from '../../../src/sync/ingest/latest/on-demand-poll.ts'
import { dialects, masterEncryption } from '../../support/factories.ts'
import { ask, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { lists, OnDemandHarness, locationList } from '../../support/harnesses/on-demand-harness.ts'

const POSITIONS = '{ vehicleLocations { nodes { vehicle { id } locatedAt } } }'

describe.each(dialects)('on-demand records on %s', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterAll(() => live[Symbol.asyncDispose]())

  test.each(lists)(
    'of $path are read from the provider during the request',
    async ({ path, providerPath }) => {
      const linked = await live.manual()
      const { status, body } = await live.get(linked.client, `${path}?raw=true`)
      expect([status, await live.requestCount(linked, providerPath)]).toEqual([200, 1])
      expect(body.results.length).toBeGreaterThan(0)
      expect(body.results[0].raw[0].data).toEqual(expect.any(Object))
      live.harness.moveClock(1000)
      await live.get(linked.client, path)
      expect(await live.requestCount(linked, providerPath)).toBe(2)
    },
  )

  test('are stored and cause events like those of a poll', async () => {
    const linked = await live.harness.link(undefined, {
      syncMode: 'manual' as never,
      options: { locationEvents: true },
    })
    const { body } = await live.get(linked.client, locationList.path)
    expect(await live.harness.events(linked, 'vehicle.location_updated')).toHaveLength(body.results.length)
    const [first] = body.results
    const query = 'query ($id: ID!) { vehicle(id: $id) { id } }'
    // The vehicle itself is not read yet.
    expect(await live.harness.ask(linked.client, query, { id: first.vehicle })).toEqual({
      data: { vehicle: null },
    })
    const stored = await live.harness.ask(linked.owner, POSITIONS)
    expect(JSON.stringify(stored.data)).toContain(first.vehicle)
  })

  test('are read once for concurrent callers', async () => {
    const linked = await live.manual()
    const requests = Array.from({ length: 100 }, () => live.get(linked.client, locationList.path))
    const [first, ...others] = await Promise.all(requests)
    expect(first).toMatchObject({ status: 200, body: { results: expect.any(Array) } })
    expect(first!.body.results.length).toBeGreaterThan(0)
    for (const { status, body } of others) expect([status, body]).toEqual([200, first!.body])
    expect(await live.requestCount(linked)).toBe(1)
  })

  test('are shared with other processes for a second', async () => {
    const linked = await live.manual()
    const { tools } = live.harness
    const otherContextFor = createContextFactory({
      ...tools,
      cursorKey: masterEncryption.derive('cursors'),
      linkUrl: () => 'https://link.example.com',
      publicUrl: () => 'https://api.example.com',
      mediaUrl: () => 'https://media.example.com',
      pollOnDemand: createOnDemandPoll(tools),
    })
    const operation = { client: linked.client, document: documentOf(POSITIONS) }
    const readInOtherProcess = () => ask(createInProcessExecutor(supergraph), otherContextFor, operation)
    const { body } = await live.get(linked.client, locationList.path)
    expect(body.results.length).toBeGreaterThan(0)
    live.harness.moveClock(999)
    const answer = await readInOtherProcess()
    expect((answer.data as { vehicleLocations: { nodes: object[] } }).vehicleLocations.nodes).toHaveLength(
      body.results.length,
    )
    expect(await live.requestCount(linked)).toBe(1)
    live.harness.moveClock(1)
    await readInOtherProcess()
    expect(await live.requestCount(linked)).toBe(2)
  })

  test('are read once by two processes within a second', async () => {
    const linked = await live.manual()
    const poll = () =>
      createOnDemandPoll(live.harness.tools)({ ...linked, connectionId: linked.id }, locationList.model)
    await poll()
    await poll()
    expect(await live.requestCount(linked)).toBe(1)
    live.harness.moveClock(1000)
    await poll()
    expect(await live.requestCount(linked)).toBe(2)
  })

  test('are not read again for the next page', async () => {
    const linked = await live.manual()
    const { body: whole } = await live.get(linked.client, locationList.path)
    live.harness.moveClock(5000)
    const read: object[] = []
    let next = ''
    do {
      const { body } = await live.get(linked.client, `${locationList.path}?limit=1${next}`)
      read.push(...body.results)
      next = body.next === undefined ? '' : `&cursor=${encodeURIComponent(body.next)}`
      live.harness.moveClock(5000)
    } while (next !== '')
    expect(whole.results.length).toBeGreaterThan(1)
    expect(read).toEqual(whole.results)
    expect(await live.requestCount(linked)).toBe(2)
  })

  test('are not stored for hidden vehicles', async () => {
    const linked = await live.manual()
    const { body: before } = await live.get(linked.client, locationList.path)
    const [hidden, ...shown] = before.results.map(({ vehicle }: { vehicle: string }) => vehicle)
    await live.patch(linked.client, { filters: { vehicles: { excludeIds: [hidden] } } })
    await live.harness.db.transaction((tx) =>
      tx.run('DELETE FROM `latest_vehicle_locations` WHERE `connectionId` = ?', [linked.id]),
    )
    live.harness.moveClock(1000)
    const { body: after } = await live.get(linked.client, locationList.path)
    expect(shown.length).toBeGreaterThan(0)
    expect(after.results.map(({ vehicle }: { vehicle: string }) => vehicle)).toEqual(shown)
    const stored = await live.harness.db.rows<{ vehicleId: string }>(
      'SELECT `vehicleId` FROM `latest_vehicle_locations` WHERE `connectionId` = ?',
      [linked.id],
    )
    expect(stored.map(({ vehicleId }) => vehicleId).toSorted()).toEqual(shown.toSorted())
  })

  test('are never shared between applications with the same account', async () => {
    const one = await live.manual()
    const other = await live.harness.link(undefined, {
      syncMode: 'manual' as never,
      credentials: { apiKey: one.apiKey },
    })
    const [mine, others] = await Promise.all([
      live.get(one.client, locationList.path),
      live.get(other.client, locationList.path),
    ])
    expect(await live.requestCount(one)).toBe(2)
    const ids = (body: { results: { vehicle: string }[] }) => body.results.map(({ vehicle }) => vehicle)
    expect(ids(mine.body).length).toBeGreaterThan(0)
    expect(ids(mine.body)).toHaveLength(ids(others.body).length)
    expect(ids(mine.body).filter((id) => ids(others.body).includes(id))).toEqual([])
  })

  test('come from the database for a secret key without a connection token', async () => {
    const application = await live.harness.application()
    const [read, archived] = [await live.harness.link(application), await live.harness.link(application)]
    const { body } = await live.get(read.client, locationList.path)
    expect(body.results.length).toBeGreaterThan(0)
    await live.patch(archived.client, { status: 'archived' })
    live.harness.moveClock(5000)
    const { data, errors } = await live.harness.ask(application.owner, POSITIONS)
    expect(errors).toBeUndefined()
    expect((data as { vehicleLocations: { nodes: object[] } }).vehicleLocations.nodes).toHaveLength(
      body.results.length,
    )
    expect([await live.requestCount(read), await live.requestCount(archived)]).toEqual([1, 0])
  })
})
