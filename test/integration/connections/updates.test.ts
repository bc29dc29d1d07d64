import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects, unknownId } from '../../support/factories.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const ALL = 'connection { options company { name dotNumbers } externalId syncMode tags filters updatedAt }'

describe.each(dialects)('updating a connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const update = ({ client }: Linked, input: object, selection = ALL) =>
    harness.mutate(client, 'updateConnection', input, selection)

  test('sets the polling interval, and refuses an invalid one', async () => {
    const linked = await harness.link()
    const option = (locationPollSeconds: unknown) => update(linked, { options: { locationPollSeconds } })
    expect((await option(60)).payload.connection.options).toEqual({ locationPollSeconds: 60 })
    for (const invalid of [0, -5, 1.5, 86_401, '60', true])
      expect(await option(invalid)).toMatchObject({
        code: 'BAD_USER_INPUT',
        detail: [{ path: 'input.options.locationPollSeconds' }],
      })
  })

  test('sets an external ID that is found as it was given, with its trailing space', async () => {
    const linked = await harness.link()
    await update(linked, { externalId: 'cust-7 ' })
    const found = async (externalId: string) => {
      const query = 'query ($id: String) { connections(externalId: $id) { nodes { id } } }'
      const { data } = await harness.ask(linked.client, query, { id: externalId })
      return (data as { connections: { nodes: unknown[] } }).connections.nodes
    }
    expect([await found('cust-7'), await found('cust-7 '), await found('CUST-7 ')]).toEqual([
      [],
      [{ id: linked.id }],
      [],
    ])
  })

  test('changes only the given fields, and emits an event with the whole connection', async () => {
    const linked = await harness.link(undefined, { tags: ['a', 'b'], externalId: 'x' })
    harness.moveClock(1000)
    const { payload } = await update(linked, {
      options: { deep: [{ any: null }] },
      company: { name: 'New name' },
      syncMode: 'MANUAL',
      tags: ['c'],
    })
    expect(payload.connection).toMatchObject({
      options: { deep: [{ any: null }] },
      company: { name: 'New name', dotNumbers: expect.any(Array) },
      syncMode: 'MANUAL',
      tags: ['c'],
      externalId: 'x',
    })
    expect(payload.connection.company.dotNumbers.length).toBeGreaterThan(0)
    const [event] = await harness.db.rows<{ detail: string }>(
      "SELECT `detail` FROM `events` WHERE `connectionId` = ? AND `type` = 'connection.updated'",
      [linked.id],
    )
    expect(JSON.parse(event!.detail).connection).toMatchObject({
      id: linked.id,
      provider: { code: 'sandbox', name: 'Sandbox' },
      status: 'connected',
      tags: ['c'],
      externalId: 'x',
      syncMode: 'manual',
    })
    expect(event!.detail).not.toMatch(/con_tkn_|sandbox-3-/)
  })

  test('emits no event without a change', async () => {
    const linked = await harness.link(undefined, { tags: ['a'], options: { a: { b: 1 } } })
    const before = await harness.row('connections', linked.id)
    harness.moveClock(1000)
    await update(linked, { tags: ['a'], options: { a: { b: 1 } }, filters: null, status: null })
    await update(linked, {})
    expect(await harness.row('connections', linked.id)).toEqual(before)
    expect(await harness.events(linked, 'connection.updated')).toEqual([])
  })

  test('removes an external id and filters with null', async () => {
    const filters = { vehicles: { status: 'active' } }
    const linked = await harness.link(undefined, { externalId: 'x', filters })
    const { payload } = await update(linked, { externalId: null, filters: null })
    expect(payload.connection).toMatchObject({ externalId: null, filters: null })
    expect(await harness.row('connections', linked.id)).toMatchObject({ filters: null })
  })

  test('stores filters without null members', async () => {
    const linked = await harness.link()
    const [vehicle, driver] = [unknownId('vehicle'), unknownId('driver')]
    const { payload } = await update(linked, {
      filters: {
        vehicles: { status: 'inactive', includeIds: null, excludeIds: [vehicle] },
        drivers: { includeIds: [driver], status: null },
      },
    })
    expect(payload.connection.filters).toEqual({
      vehicles: { status: 'inactive', excludeIds: [vehicle] },
      drivers: { includeIds: [driver] },
    })
    await update(linked, { filters: { vehicles: null, drivers: { status: null } } })
    expect(await harness.row('connections', linked.id)).toMatchObject({ filters: null })
  })

  test.each([
    [{ filters: [] }, 'filters'],
    [{ filters: { trailers: {} } }, 'filters.trailers'],
    [{ filters: { constructor: {} } }, 'filters.constructor'],
    [{ filters: { vehicles: 'active' } }, 'filters.vehicles'],
    [{ filters: { vehicles: { status: 'sold' } } }, 'filters.vehicles.status'],
    [{ filters: { vehicles: { include: [] } } }, 'filters.vehicles.include'],
    [{ filters: { vehicles: { includeIds: 'vcl' } } }, 'filters.vehicles.includeIds'],
    [{ filters: { vehicles: { includeIds: [unknownId('driver')] } } }, 'filters.vehicles.includeIds'],
    [{ filters: { drivers: { excludeIds: [1] } } }, 'filters.drivers.excludeIds'],
    [{ options: [] }, 'options'],
    [{ options: 'text' }, 'options'],
    [{ tags: [''] }, 'tags'],
    [{ tags: Array.from({ length: 101 }, () => 'tag') }, 'tags'],
    [{ tags: ['x'.repeat(256)] }, 'tags'],
    [{ externalId: 'x'.repeat(256) }, 'externalId'],
    [{ company: { name: 'x'.repeat(256) } }, 'company.name'],
    [{ company: { dotNumbers: [''] } }, 'company.dotNumbers'],
  ])('refuses %j, naming %s, and writes nothing', async (input, path) => {
    const linked = await harness.link()
    const before = await harness.row('connections', linked.id)
    expect(await update(linked, { tags: ['other'], ...input })).toMatchObject({
      code: 'BAD_USER_INPUT',
      detail: [{ path: `input.${path}` }],
    })
    expect(await harness.row('connections', linked.id)).toEqual(before)
  })

  test('works for an archived connection, which stays readable', async () => {
    const linked = await harness.link()
    await harness.mutate(linked.client, 'archiveConnection', {}, 'connection { status }')
    const { payload } = await update(linked, { tags: ['kept'] }, 'connection { status tags token linkUrl }')
    expect(payload.connection).toMatchObject({
      status: 'ARCHIVED',
      tags: ['kept'],
      token: linked.client.token,
    })
  })
})

describe.each(dialects)('creating a connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  test('signs in, stores all input, and emits events', async () => {
    const { owner } = await harness.application()
    const { payload, code } = await harness.mutate(
      owner,
      'createConnection',
      {
        provider: 'sandbox',
        credentials: { apiKey: 'sandbox-3-77' },
        company: { name: 'Ours' },
        options: { a: 1 },
        externalId: 'e-1',
        syncMode: 'MANUAL',
        backfill: { days: 2 },
        tags: ['t'],
        filters: { drivers: { status: 'active' } },
        agreements: [
          {
            agreementUrl: 'https://example.com/a',
            acceptedAt: '2026-01-30T00:00:00Z',
            ipAddress: '192.0.2.1',
          },
        ],
      },
      `connection { id token status syncMode externalId tags options filters timeZone company { name }
        agreements { agreementUrl acceptedAt ipAddress } }`,
    )
    expect(code).toBeNull()
    expect(payload.connection).toMatchObject({
      token: expect.stringMatching(/^con_tkn_\S{32}$/),
      status: 'CONNECTED',
      syncMode: 'MANUAL',
      externalId: 'e-1',
      tags: ['t'],
      options: { a: 1 },
      filters: { drivers: { status: 'active' } },
      timeZone: expect.stringContaining('/'),
      company: { name: 'Ours' },
      agreements: [{ agreementUrl: 'https://example.com/a', acceptedAt: '2026-01-30T00:00:00.000Z' }],
    })
    const row = await harness.row<{ backfillFrom: number }>('connections', payload.connection.id)
    expect(harness.tools.clock.now() - Number(row.backfillFrom)).toBe(2 * 86_400_000)
    expect(await harness.events(payload.connection, 'connection.')).toEqual([
      'connection.created',
      'connection.completed',
    ])
    expect(JSON.stringify(row)).not.toContain('sandbox-3-77')
  })

  test.each([
    [{ provider: 'nobody' }, 'BAD_USER_INPUT'],
    [{ provider: 'verizon' }, 'BAD_USER_INPUT'],
    [{ credentials: 'sandbox' }, 'BAD_USER_INPUT'],
    [{ credentials: {} }, 'BAD_USER_INPUT'],
    [{ credentials: { apiKey: 1 } }, 'BAD_USER_INPUT'],
    [{ credentials: { apiKey: 'revoked-1' } }, 'INVALID_CREDENTIALS'],
    [{ backfill: { days: -1 } }, 'BAD_USER_INPUT'],
    [{ backfill: { startFrom: '2999-01-01T00:00:00Z' } }, 'BAD_USER_INPUT'],
    [{ filters: { vehicles: { status: 'none' } } }, 'BAD_USER_INPUT'],
  ])('refuses %j', async (input, code) => {
    const { id, owner } = await harness.application()
    const outcome = await harness.mutate(
      owner,
      'createConnection',
      { provider: 'sandbox', credentials: { apiKey: 'sandbox-3-1' }, ...input },
      'connection { id }',
    )
    expect(outcome).toMatchObject({ payload: null, code })
    expect(await harness.db.rows('SELECT 1 FROM `connections` WHERE `applicationId` = ?', [id])).toEqual([])
  })
})
