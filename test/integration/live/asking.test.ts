import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContextFactory } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { createOnDemandPoll } from '../../../src/sync/ingest/on-demand-poll.ts'
import { dialects, masterBox } from '../../support/factories.ts'
import { ask, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { lists, OnDemandHarness, places } from '../../support/on-demand-harness.ts'

const POSITIONS = '{ vehicleLocations { nodes { vehicle { id } locatedAt } } }'

describe.each(dialects)('what is only of now, on %s,', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterAll(() => live[Symbol.asyncDispose]())

  test.each(lists)('$path, is asked of the provider in the request', async ({ path, asks }) => {
    const linked = await live.manual()
    const { status, body } = await live.get(linked.party, `${path}?raw=true`)
    expect([status, await live.askedFor(linked, asks)]).toEqual([200, 1])
    expect(body.results.length).toBeGreaterThan(0)
    expect(body.results[0].raw[0].data).toEqual(expect.any(Object))
    live.harness.moveClock(1000)
    await live.get(linked.party, path)
    expect(await live.askedFor(linked, asks)).toBe(2)
  })

  test('is stored and told as by a poll', async () => {
    const linked = await live.harness.link(undefined, {
      syncMode: 'manual' as never,
      options: { locationEvents: true },
    })
    const { body } = await live.get(linked.party, places.path)
    expect(await live.harness.events(linked, 'vehicle.location_updated')).toHaveLength(body.results.length)
    const [first] = body.results
    const query = 'query ($id: ID!) { vehicle(id: $id) { id } }'
    // Of the vehicle itself nothing has been read yet.
    expect(await live.harness.ask(linked.party, query, { id: first.vehicle })).toEqual({
      data: { vehicle: null },
    })
    const stored = await live.harness.ask(linked.owner, POSITIONS)
    expect(JSON.stringify(stored.data)).toContain(first.vehicle)
  })

  test('is asked for once, however many callers ask at a time', async () => {
    const linked = await live.manual()
    const callers = Array.from({ length: 100 }, () => live.get(linked.party, places.path))
    const [first, ...others] = await Promise.all(callers)
    expect(first).toMatchObject({ status: 200, body: { results: expect.any(Array) } })
    expect(first!.body.results.length).toBeGreaterThan(0)
    for (const { status, body } of others) expect([status, body]).toEqual([200, first!.body])
    expect(await live.askedFor(linked)).toBe(1)
  })

  test('is shared for a second with callers of other processes', async () => {
    const linked = await live.manual()
    const { tools } = live.harness
    const another = createContextFactory({
      ...tools,
      cursorKey: masterBox.derive('cursors'),
      linkUrl: () => 'https://link.example.com',
      publicUrl: () => 'https://api.example.com',
      mediaUrl: () => 'https://media.example.com',
      pollOnDemand: createOnDemandPoll(tools),
    })
    const asked = { party: linked.party, document: documentOf(POSITIONS) }
    const inAnother = () => ask(createInProcessExecutor(supergraph), another, asked)
    const { body } = await live.get(linked.party, places.path)
    expect(body.results.length).toBeGreaterThan(0)
    live.harness.moveClock(999)
    const answer = await inAnother()
    expect((answer.data as { vehicleLocations: { nodes: object[] } }).vehicleLocations.nodes).toHaveLength(
      body.results.length,
    )
    expect(await live.askedFor(linked)).toBe(1)
    live.harness.moveClock(1)
    await inAnother()
    expect(await live.askedFor(linked)).toBe(2)
  })

  test('is not asked for by who had looked before another asker ended', async () => {
    const linked = await live.manual()
    const ask = () =>
      createOnDemandPoll(live.harness.tools)({ ...linked, connectionId: linked.id }, places.model)
    await ask()
    await ask()
    expect(await live.askedFor(linked)).toBe(1)
    live.harness.moveClock(1000)
    await ask()
    expect(await live.askedFor(linked)).toBe(2)
  })

  test('is not asked for again from page to page', async () => {
    const linked = await live.manual()
    const { body: whole } = await live.get(linked.party, places.path)
    live.harness.moveClock(5000)
    const read: object[] = []
    let next = ''
    do {
      const { body } = await live.get(linked.party, `${places.path}?limit=1${next}`)
      read.push(...body.results)
      next = body.next === undefined ? '' : `&cursor=${encodeURIComponent(body.next)}`
      live.harness.moveClock(5000)
    } while (next !== '')
    expect(whole.results.length).toBeGreaterThan(1)
    expect(read).toEqual(whole.results)
    expect(await live.askedFor(linked)).toBe(2)
  })

  test('is not stored of vehicles that filters hide', async () => {
    const linked = await live.manual()
    const { body: before } = await live.get(linked.party, places.path)
    const [hidden, ...shown] = before.results.map(({ vehicle }: { vehicle: string }) => vehicle)
    await live.patch(linked.party, { filters: { vehicles: { excludeIds: [hidden] } } })
    await live.harness.db.transaction((tx) =>
      tx.run('DELETE FROM `latest_vehicle_locations` WHERE `connectionId` = ?', [linked.id]),
    )
    live.harness.moveClock(1000)
    const { body: after } = await live.get(linked.party, places.path)
    expect(shown.length).toBeGreaterThan(0)
    expect(after.results.map(({ vehicle }: { vehicle: string }) => vehicle)).toEqual(shown)
    const stored = await live.harness.db.rows<{ vehicleId: string }>(
      'SELECT `vehicleId` FROM `latest_vehicle_locations` WHERE `connectionId` = ?',
      [linked.id],
    )
    expect(stored.map(({ vehicleId }) => vehicleId).toSorted()).toEqual(shown.toSorted())
  })

  test('is never shared between two applications with the same account', async () => {
    const one = await live.manual()
    const other = await live.harness.link(undefined, {
      syncMode: 'manual' as never,
      credentials: { apiKey: one.apiKey },
    })
    const [mine, others] = await Promise.all([
      live.get(one.party, places.path),
      live.get(other.party, places.path),
    ])
    expect(await live.askedFor(one)).toBe(2)
    const ids = (body: { results: { vehicle: string }[] }) => body.results.map(({ vehicle }) => vehicle)
    expect(ids(mine.body).length).toBeGreaterThan(0)
    expect(ids(mine.body)).toHaveLength(ids(others.body).length)
    expect(ids(mine.body).filter((id) => ids(others.body).includes(id))).toEqual([])
  })

  test('is what is stored for the secret key alone, whatever state its connections are in', async () => {
    const application = await live.harness.application()
    const [read, archived] = [await live.harness.link(application), await live.harness.link(application)]
    const { body } = await live.get(read.party, places.path)
    expect(body.results.length).toBeGreaterThan(0)
    await live.patch(archived.party, { status: 'archived' })
    live.harness.moveClock(5000)
    const { data, errors } = await live.harness.ask(application.owner, POSITIONS)
    expect(errors).toBeUndefined()
    expect((data as { vehicleLocations: { nodes: object[] } }).vehicleLocations.nodes).toHaveLength(
      body.results.length,
    )
    expect([await live.askedFor(read), await live.askedFor(archived)]).toEqual([1, 0])
  })
})
