import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { connectionEvent, issueEvent } from '../../../src/subgraphs/connections/events.ts'
import { Connection, ConnectionStatus } from '../../../src/subgraphs/connections/connection.ts'
import { emitLocationEvents } from '../../../src/sync/ingest/emit-location-events.ts'
import { emitSyncEvents } from '../../../src/sync/emit-sync-events.ts'
import { emitChangeEvents } from '../../../src/sync/pipeline/emit-change-events.ts'
import { type StoredModel, storedModels } from '../../../src/sync/pipeline/stored-models.ts'
import type { ProviderRecord } from '../../../src/subgraphs/tables/provider-record.ts'
import { dialects, eventRow, type SeededConnection } from '../../support/factories.ts'
import { driver, latestVehicleLocation, safetyEvent, vehicle } from '../../conformance/records/models.ts'
import { connection as connectionMembers, issue, sync } from '../../conformance/records/other-models.ts'
import { type Members, objectOf } from '../../conformance/shapes.ts'
import {
  type EventLogHarness,
  startEventLogHarness,
  type EventPage,
} from '../../support/event-log-harness.ts'

const KEY = 'odo_pk_not_a_real_key'

describe.each(dialects)('an event on %s', (dialect) => {
  let harness: EventLogHarness
  let whole: SeededConnection

  beforeAll(async () => {
    harness = await startEventLogHarness(dialect)
    whole = harness.planted.connections[0]!
    await harness.rest.db.transaction((tx) =>
      tx.run(
        "INSERT INTO `api_keys` (`id`, `applicationId`, `use`, `hash`, `hint`, `publishable`, `createdAt`) VALUES (?, ?, 'publishable', ?, '_key', ?, 0)",
        [newId('key'), harness.planted.id, newId('key'), KEY],
      ),
    )
  })

  afterAll(() => harness[Symbol.asyncDispose]())

  const get = async (path: string, party = harness.planted.narrowed(0)) =>
    (await harness.rest.get(path, party)).body

  /** The newest events of a type, by the record that they tell of. */
  async function told(type: string, name: string, idOf = (record: EventPage['detail']) => record.id) {
    const events = (await harness.read(`&types=${type}`)).map(({ detail }) => detail)
    return new Map<string, EventPage['detail']>(events.map((detail) => [idOf(detail[name]), detail]))
  }

  const change = (model: 'Vehicle' | 'Driver' | 'SafetyEvent', rows: readonly object[]) =>
    harness.record((tx) =>
      emitChangeEvents(
        tx,
        storedModels[model] as unknown as StoredModel<unknown>,
        { connection: whole.connection, syncId: newId('sync'), stamp: Date.now() },
        'Sandbox',
        (rows as readonly ProviderRecord[]).map((row) => ({ kind: 'modified', row })),
      ),
    )

  const brief = () => {
    const { id, tags, externalId } = whole.connection
    return { id, provider: { code: 'sandbox', name: 'Sandbox' }, tags, externalId }
  }

  const records = [
    ['Vehicle', 'vehicle', 'vehicle.modified', '/vehicles', vehicle, () => whole.vehicles],
    ['Driver', 'driver', 'driver.modified', '/drivers', driver, () => whole.drivers],
    [
      'SafetyEvent',
      'safetyEvent',
      'safety.modified',
      '/safety/events',
      safetyEvent,
      () => whole.safetyEvents,
    ],
  ] as const

  test.each(records)(
    'tells of a %s what its path answers',
    async (model, name, type, path, members, rows) => {
      await change(model, rows())
      const details = await told(type, name)
      expect(rows().length).toBeGreaterThan(0)
      expect(details.size).toBe(rows().length)
      for (const { id } of rows()) {
        expect(details.get(id)).toEqual({ connection: brief(), [name]: await get(`${path}/${id}`) })
        expectAs(members, details.get(id)[name])
        expect(Object.keys(details.get(id)[name]).filter((member) => !(member in members))).toEqual([])
      }
    },
  )

  test('tells whether filters hide the vehicle then', async () => {
    const hidden = whole.vehicles[1]!.id
    const filters = { vehicles: { excludeIds: [hidden] } }
    const patched = await harness.rest.write('PATCH', '/connections/current', harness.planted.narrowed(0), {
      filters,
    })
    expect(patched.status).toBe(200)
    await change('Vehicle', whole.vehicles)
    const detail = (await told('vehicle.modified', 'vehicle')).get(hidden)
    expect(detail.vehicle.metadata.visibility).toBe('hidden_by_exclude_list')
    expect(detail.vehicle).toEqual(await get(`/vehicles/${hidden}`))
  })

  test('tells of a position what the list of latest ones has', async () => {
    const wanted = { ...whole.connection, options: { locationEvents: true } }
    await harness.record((tx) => emitLocationEvents(tx, wanted, 'Sandbox', whole.latestLocations, Date.now()))
    const details = await told('vehicle.location_updated', 'location', ({ vehicle: id }) => id)
    const { results } = await get('/vehicles/locations')
    expect(results).not.toEqual([])
    for (const latest of results) {
      expect(details.get(latest.vehicle)).toEqual({ connection: brief(), location: latest })
      expectAs(latestVehicleLocation, latest)
    }
  })

  test('tells of a sync what its path answers, with its issues', async () => {
    for (const row of whole.syncs)
      await harness.record((tx) => emitSyncEvents(tx, row, 'sync.failed', 'Sandbox', Date.now()))
    const details = await told('sync.failed', 'sync')
    for (const { id } of whole.syncs)
      expect(details.get(id)).toEqual({ connection: brief(), sync: await get(`/syncs/${id}`) })
    expect(details.get(whole.syncs[1]!.id).sync.issues).toEqual([whole.issues[0]!.id])
    expectAs(sync, details.get(whole.syncs[0]!.id).sync)
  })

  test('tells of an issue what the list of issues has', async () => {
    await harness.announce(
      0,
      ...whole.issues.map((row) => issueEvent('issue.reported', row, whole.connection, 'Sandbox')),
    )
    const details = await told('issue.reported', 'issue')
    const { results } = await get('/issues', harness.planted.party)
    expect(results).toHaveLength(whole.issues.length)
    for (const listed of results) {
      expect(details.get(listed.id)).toEqual({ connection: brief(), issue: listed })
      expectAs(issue, listed)
    }
  })

  async function storedConnection(id: string): Promise<Connection> {
    const found = await findById(harness.rest.db, Connection, id)
    if (!found) throw new Error('there is no such connection')
    return found
  }

  test.each(Object.values(ConnectionStatus))(
    'tells of a connection that is %s what the list has',
    async (status) => {
      for (const [at, { connection, token }] of harness.planted.connections.entries()) {
        const { id } = connection
        await harness.record((tx) =>
          tx.run('UPDATE `connections` SET `status` = ? WHERE `id` = ?', [status, id]),
        )
        await harness.announce(
          at,
          connectionEvent('connection.updated', await storedConnection(id), 'Sandbox'),
        )
        const { results } = await get('/connections', harness.planted.party)
        const detail = (await harness.read('&types=connection.updated')).at(-1)?.detail
        expect(detail).toEqual({ connection: results[at] })
        expect(detail.connection.token).toBe(token)
        const isGone = status === ConnectionStatus.DELETING || status === ConnectionStatus.DELETED
        expect(detail.connection.linkUrl?.endsWith(`${id}?key=${KEY}`)).toBe(isGone ? undefined : true)
        if (!isGone) expectAs(connectionMembers, detail.connection)
      }
    },
  )

  test('keeps no token in the log', async () => {
    const stored = await harness.rest.db.rows<{ detail: string }>('SELECT `detail` FROM `events`')
    expect(stored.length).toBeGreaterThan(10)
    expect(JSON.stringify(stored)).not.toContain('con_tkn_')
  })

  test('says the same, byte for byte, when the key that stands in its link is revoked', async () => {
    await harness.announce(
      0,
      connectionEvent('connection.created', await storedConnection(whole.connection.id), 'Sandbox'),
    )
    const before = await harness.rest.get('/events?types=connection.created', harness.planted.party)
    await harness.record((tx) =>
      tx.run('UPDATE `api_keys` SET `revokedAt` = ? WHERE `publishable` = ?', [Date.now() + 1, KEY]),
    )
    const after = await harness.rest.get('/events?types=connection.created', harness.planted.party)
    expect(before.body.results).toHaveLength(1)
    expect(after.text).toBe(before.text)
  })

  test('of before, whatever it told, is still told', async () => {
    const owner = { applicationId: harness.planted.id, connectionId: whole.connection.id }
    const rows = [
      eventRow(owner, {
        type: 'driver.added',
        detail: { driver: { id: 'drv_1', addedAt: 5 }, connection: brief() },
      }),
      eventRow(owner, { type: 'connection.completed', detail: {} }),
    ]
    await harness.record((tx) => tx.insert(tableOf(EventRow), rows))
    const told = await harness.read('&types=driver.added,connection.completed')
    expect(told.map(({ detail }) => detail)).toEqual(rows.map(({ detail }) => detail))
  })
})

/** As the specification has it, but for what the provider sent; the phone numbers of factories are none. */
function expectAs({ raw: _, phone: __, ...members }: Members, record: Readonly<Record<string, unknown>>) {
  expect(objectOf(members)(record)).toBeNull()
}
