import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteDueConnectionData } from '../../../src/sync/retention/delete-connection-data.ts'
import { issuePublicToken } from '../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import { pollConnection } from '../../../src/sync/poll-connection.ts'
import { dialects } from '../../support/factories.ts'
import { sequenceAll } from '../../support/harnesses/event-log-harness.ts'
import { DAY, HOUR } from '../../support/durations.ts'
import { seedRequests } from '../../support/rows/request-rows.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

describe.each(dialects)('deletion on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  async function linkWithData(): Promise<Linked> {
    const linked = await harness.link(undefined, {
      tags: ['kept'],
      externalId: 'kept too',
      filters: { vehicles: { status: 'active' } },
      agreements: [{ agreementUrl: 'https://example.com', acceptedAt: 0 }],
      backfillFrom: harness.tools.clock.now() - 6 * HOUR,
    })
    await harness.fault(linked, { path: '/groups', status: 403, count: 1 })
    await harness.sync(linked)
    await seedRequests(harness.db, linked.client.applicationId, 2, { connectionId: linked.id })
    for (const model of ['LatestVehicleLocation', 'LatestTrailerLocation', 'HOSAvailableTime'] as const)
      await pollConnection(harness.tools, linked.id, model, {
        id: 'poll',
        attempt: 1,
        signal: new AbortController().signal,
      })
    await issuePublicToken(harness.db, linked, harness.tools.clock.now())
    const [vehicle] = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `vehicles` WHERE `connectionId` = ? LIMIT 1',
      [linked.id],
    )
    const facts = { vehicleId: vehicle?.id, fuelTankCapacity: 400 }
    await harness.mutate(linked.client, 'setVehicleFacts', facts, 'vehicle { id }')
    await harness.mutate(linked.client, 'setProviderWebhook', { secret: 'one of theirs' }, 'url')
    return linked
  }

  const request = ({ client }: Linked) =>
    harness.mutate(client, 'deleteConnection', {}, 'message connection { status }')

  /** Counts the rows of each table that contain the id of a connection. */
  async function rowCounts({ id }: Linked): Promise<Record<string, number>> {
    const found: Record<string, number> = {}
    for (const table of await tables()) {
      const rows = await harness.db.rows(`SELECT * FROM \`${table}\``)
      const count = rows.filter((row) => JSON.stringify(row).includes(id)).length
      if (count > 0) found[table] = count
    }
    return found
  }

  const tables = async (): Promise<string[]> =>
    (
      await harness.db.rows<{ name: string }>(
        dialect === 'mysql'
          ? 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()'
          : "SELECT name FROM sqlite_master WHERE type = 'table'",
      )
    ).map(({ name }) => name)

  async function untilDeleted(linked: Linked): Promise<void> {
    for (let run = 0; run < 50; run++) {
      await deleteDueConnectionData(harness.tools)
      if ((await harness.row('connections', linked.id))['status'] === 'deleted') return
    }
    throw new Error('the connection is not deleted')
  }

  test('waits for a day, then leaves only a stub and its event', async () => {
    const [linked, neighbour] = [await linkWithData(), await linkWithData()]
    const before = await rowCounts(linked)
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'agreements',
        'checkpoints',
        'events',
        'issues',
        'provider_webhooks',
        'public_tokens',
        'raw_records',
        'request_log',
        'sync_issues',
        'vehicle_facts',
        'vehicle_locations',
      ]),
    )
    const neighbourBefore = await rowCounts(neighbour)
    expect((await request(linked)).payload).toEqual({
      message: expect.stringContaining('24 hours'),
      connection: { status: 'PENDING_DELETION' },
    })
    harness.moveClock(DAY - 1)
    await deleteDueConnectionData(harness.tools)
    expect(await harness.row('connections', linked.id)).toMatchObject({ status: 'pending_deletion' })
    expect((await rowCounts(linked))['vehicles']).toBe(before['vehicles'])
    harness.moveClock(1)
    await untilDeleted(linked)
    expect(await rowCounts(linked)).toEqual({ connections: 1, events: 1, audit_log: 5 })
    expect(await harness.events(linked, '')).toEqual(['connection.deleted'])
    expect(await rowCounts(neighbour)).toEqual(neighbourBefore)
  })

  test('keeps the identifiers of the connection, and shows them to a holder of its token', async () => {
    const linked = await linkWithData()
    await request(linked)
    harness.moveClock(DAY)
    await untilDeleted(linked)
    const stub = `connection { id status token tags externalId options filters linkUrl deletedAt lastSync { id }
      agreements { id } account { name user { email } } provider { code } vehicles { nodes { id } } }`
    const { data } = await harness.ask(linked.client, `{ ${stub} }`)
    expect(data).toEqual({
      connection: {
        id: linked.id,
        status: 'DELETED',
        token: linked.client.token,
        tags: ['kept'],
        externalId: 'kept too',
        options: {},
        filters: null,
        linkUrl: null,
        deletedAt: expect.any(String),
        lastSync: null,
        agreements: [],
        account: { name: expect.any(String), user: null },
        provider: { code: 'sandbox' },
        vehicles: { nodes: [] },
      },
    })
    const row = await harness.row('connections', linked.id)
    expect(row).toMatchObject({ credentialsSealed: '', statusBefore: null })
  })

  test('keeps the positions of deleted events, so that a reader can resume after one', async () => {
    const linked = await linkWithData()
    await sequenceAll(harness.db)
    const owner = { ...linked.client, connectionId: null, token: null }
    const page = (after: string) => `{ events(after: "${after}", first: 1000) { nodes { id type } } }`
    const { data } = await harness.ask(linked.client, '{ events(first: 7) { nodes { id } } }')
    const last = (data as { events: { nodes: { id: string }[] } }).events.nodes[6]!.id
    await request(linked)
    harness.moveClock(DAY)
    await untilDeleted(linked)
    await sequenceAll(harness.db)
    const after = await harness.ask(owner, page(last))
    const types = (after.data as { events: { nodes: { type: string }[] } }).events.nodes.map(
      ({ type }) => type,
    )
    expect(types).toEqual(['connection.deleted'])
  })

  test('is cancelled in time by an update of the status', async () => {
    const linked = await linkWithData()
    const before = await rowCounts(linked)
    await request(linked)
    harness.moveClock(DAY - 1)
    await harness.mutate(linked.client, 'updateConnection', { status: 'CONNECTED' }, 'connection { id }')
    harness.moveClock(DAY)
    await deleteDueConnectionData(harness.tools)
    expect(await harness.row('connections', linked.id)).toMatchObject({ status: 'connected' })
    expect((await rowCounts(linked))['vehicles']).toBe(before['vehicles'])
  })

  test('resumes after an interruption', async () => {
    const linked = await linkWithData()
    await request(linked)
    harness.moveClock(DAY)
    let statements = 0
    const interrupted = {
      ...harness.tools,
      db: {
        ...harness.db,
        transaction: ((work) =>
          ++statements > 3
            ? Promise.reject(new Error('killed'))
            : harness.db.transaction(work)) as typeof harness.db.transaction,
      },
    }
    await expect(deleteDueConnectionData(interrupted)).rejects.toThrow('killed')
    expect(await harness.row('connections', linked.id)).toMatchObject({ status: 'deleting' })
    await untilDeleted(linked)
    expect(await rowCounts(linked)).toEqual({ connections: 1, events: 1, audit_log: 5 })
  })
})
