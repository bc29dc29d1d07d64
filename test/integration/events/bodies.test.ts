import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { RowModel } from '../../../src/domain/record-models.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { connectionEvent, issueEvent } from '../../../src/subgraphs/connections/events.ts'
import { Connection, ConnectionStatus } from '../../../src/subgraphs/connections/connection.ts'
import { emitLocationEvents } from '../../../src/sync/ingest/latest/emit-location-events.ts'
import { emitSyncEvents } from '../../../src/sync/emit-sync-events.ts'
import { emitChangeEvents } from '../../../src/sync/pipeline/events/emit-change-events.ts'
import { type ChangeKind, type StoredModel, storedModels } from '../../../src/sync/pipeline/stored-models.ts'
import type { ProviderRecord } from '../../../src/subgraphs/tables/provider-record.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { STRANGER } from '../../support/rest/fleet-records.ts'
import type { ConnectionFilters } from '../../../src/subgraphs/tables/filtered-connection.ts'
import { dialects, eventRow, type SeededConnection } from '../../support/factories.ts'
import { driver, latestVehicleLocation, safetyEvent, vehicle } from '../../conformance/records/models.ts'
import { connection as connectionMembers, issue, sync } from '../../conformance/records/other-models.ts'
import { type Members, objectOf } from '../../conformance/shapes.ts'
import {
  type EventLogHarness,
  startEventLogHarness,
  type EventPage,
} from '../../support/harnesses/event-log-harness.ts'

const KEY = 'odo_pk_not_a_real_key'

describe.each(dialects)('an event on %s', (dialect) => {
  let harness: EventLogHarness
  let seeded: SeededConnection

  beforeAll(async () => {
    harness = await startEventLogHarness(dialect)
    seeded = harness.seeded.connections[0]!
    await harness.rest.db.transaction((tx) =>
      tx.run(
        "INSERT INTO `api_keys` (`id`, `applicationId`, `use`, `hash`, `hint`, `publishable`, `createdAt`) VALUES (?, ?, 'publishable', ?, '_key', ?, 0)",
        [newId('key'), harness.seeded.id, newId('key'), KEY],
      ),
    )
  })

  afterAll(() => harness[Symbol.asyncDispose]())

  const get = async (path: string, client = harness.seeded.narrowed(0)) =>
    (await harness.rest.get(path, client)).body

  /** Returns the details of the newest events of a type, by the id of their record. */
  async function detailsOf(type: string, name: string, idOf = (record: EventPage['detail']) => record.id) {
    const events = (await harness.read(`&types=${type}`)).map(({ detail }) => detail)
    return new Map<string, EventPage['detail']>(events.map((detail) => [idOf(detail[name]), detail]))
  }

  const change = (
    model: RowModel,
    rows: readonly object[],
    kind: ChangeKind = 'modified',
    connection = seeded.connection,
  ) =>
    harness.record((tx) =>
      emitChangeEvents(
        tx,
        storedModels[model] as unknown as StoredModel<unknown>,
        { connection, syncId: newId('sync'), stamp: Date.now() },
        'Sandbox',
        (rows as readonly ProviderRecord[]).map((row) => ({ kind, row })),
      ),
    )

  const brief = () => {
    const { id, tags, externalId } = seeded.connection
    return { id, provider: { code: 'sandbox', name: 'Sandbox' }, tags, externalId }
  }

  const records = [
    ['Vehicle', 'vehicle', 'vehicle.modified', '/vehicles', vehicle, () => seeded.vehicles],
    ['Driver', 'driver', 'driver.modified', '/drivers', driver, () => seeded.drivers],
    [
      'SafetyEvent',
      'safetyEvent',
      'safety.modified',
      '/safety/events',
      safetyEvent,
      () => seeded.safetyEvents,
    ],
  ] as const

  test.each(records)(
    'of a %s has the body of its REST path',
    async (model, name, type, path, members, rows) => {
      await change(model, rows())
      const details = await detailsOf(type, name)
      expect(rows().length).toBeGreaterThan(0)
      expect(details.size).toBe(rows().length)
      for (const { id } of rows()) {
        expect(details.get(id)).toEqual({ connection: brief(), [name]: await get(`${path}/${id}`) })
        expectConforms(members, details.get(id)[name])
        expect(Object.keys(details.get(id)[name]).filter((member) => !(member in members))).toEqual([])
      }
    },
  )

  const removals = [
    ['Trip', 'trip', 'trip.removed', '/trips', () => seeded.trips],
    ['SafetyEvent', 'safetyEvent', 'safety.removed', '/safety/events', () => seeded.safetyEvents],
    [
      'FaultCodeEvent',
      'faultCodeEvent',
      'fault_code.removed',
      '/fault-codes/events',
      () => seeded.faultCodeEvents,
    ],
    ['HOSLog', 'hosLog', 'hos_log.removed', '/hos/logs', () => seeded.hosLogs],
    ['HOSDailyLog', 'hosDailyLog', 'hos_daily_log.removed', '/hos/daily-logs', () => seeded.hosDailyLogs],
  ] as const

  test.each(removals)(
    'of a removed %s has the body of its REST list',
    async (model, name, type, path, rows) => {
      await change(model, rows(), 'removed')
      const details = await detailsOf(type, name)
      const { results } = await get(`${path}?deleted=true`)
      expect(results.some(({ metadata }: { metadata: object }) => 'deletedAt' in metadata)).toBe(true)
      expect(details.size).toBe(results.length)
      for (const listed of results)
        expect(details.get(listed.id)).toEqual({ connection: brief(), [name]: listed })
    },
  )

  test('of a removed record is no event of the default types', async () => {
    await change('Trip', seeded.trips, 'removed')
    await change('Vehicle', seeded.vehicles, 'removed')
    const types = (await harness.read('')).map(({ type }) => type)
    expect(types).toContain('vehicle.removed')
    expect(types).not.toContain('trip.removed')
    expect((await harness.read('&types=*')).map(({ type }) => type)).toEqual(types)
  })

  test('has the visibility of its vehicle at that time', async () => {
    const hidden = seeded.vehicles[1]!.id
    const filters = { vehicles: { excludeIds: [hidden] } }
    const patched = await harness.rest.write('PATCH', '/connections/current', harness.seeded.narrowed(0), {
      filters,
    })
    expect(patched.status).toBe(200)
    await change('Vehicle', seeded.vehicles)
    const detail = (await detailsOf('vehicle.modified', 'vehicle')).get(hidden)
    expect(detail.vehicle.metadata.visibility).toBe('hidden_by_exclude_list')
    expect(detail.vehicle).toEqual(await get(`/vehicles/${hidden}`))
  })

  test('of a location has the body of the latest locations list', async () => {
    const withLocationEvents = { ...seeded.connection, options: { locationEvents: true } }
    await harness.record((tx) =>
      emitLocationEvents(tx, withLocationEvents, 'Sandbox', seeded.latestLocations, Date.now()),
    )
    const details = await detailsOf('vehicle.location_updated', 'location', ({ vehicle: id }) => id)
    const { results } = await get('/vehicles/locations')
    expect(results).not.toEqual([])
    for (const latest of results) {
      expect(details.get(latest.vehicle)).toEqual({ connection: brief(), location: latest })
      expectConforms(latestVehicleLocation, latest)
    }
  })

  test('names no hidden vehicle or driver, as the REST lists do', async () => {
    const [vehicleId, driverId] = [seeded.vehicles[0]!.id, seeded.drivers[0]!.id]
    const hide = async (filters: ConnectionFilters | null) => {
      await setFilters(harness.rest.db, seeded, filters)
      return { ...seeded.connection, filters, options: { locationEvents: true } } as Connection
    }
    const expectSame = async (type: string, name: string, path: string, id: string, hidden: string) => {
      const details = await detailsOf(type, name)
      const { results } = await get(`${path}?deleted=true`)
      const listed = results.find((record: { id: string }) => record.id === id)
      expect(details.get(id)[name]).toEqual(listed)
      expect(JSON.stringify(listed)).not.toContain(hidden)
    }
    const withoutDriver = await hide({ drivers: { excludeIds: [driverId] } })
    for (const [model, name, type, path, rows] of removals.slice(0, 2)) {
      expect(rows()[0]).toMatchObject({ driverId })
      await change(model, rows(), 'removed', withoutDriver)
      await expectSame(type, name, path, rows()[0]!.id, driverId)
    }
    await harness.record((tx) =>
      emitLocationEvents(tx, withoutDriver, 'Sandbox', seeded.latestLocations, Date.now()),
    )
    const details = await detailsOf('vehicle.location_updated', 'location', ({ vehicle: id }) => id)
    const { results } = await get('/vehicles/locations')
    expect(results.map(({ vehicle: id }: { vehicle: string }) => details.get(id).location)).toEqual(results)
    expect(JSON.stringify(results)).not.toContain(driverId)

    const [log] = seeded.hosLogs
    expect(log).toMatchObject({ vehicleId, codriverIds: [driverId, STRANGER] })
    await change('HOSLog', seeded.hosLogs, 'removed', await hide({ vehicles: { excludeIds: [vehicleId] } }))
    await expectSame('hos_log.removed', 'hosLog', '/hos/logs', log!.id, vehicleId)
    await hide(null)
  })

  test('of a sync has the body of its REST path, with its issues', async () => {
    for (const row of seeded.syncs)
      await harness.record((tx) => emitSyncEvents(tx, row, 'sync.failed', 'Sandbox', Date.now()))
    const details = await detailsOf('sync.failed', 'sync')
    for (const { id } of seeded.syncs)
      expect(details.get(id)).toEqual({ connection: brief(), sync: await get(`/syncs/${id}`) })
    expect(details.get(seeded.syncs[1]!.id).sync.issues).toEqual([seeded.issues[0]!.id])
    expectConforms(sync, details.get(seeded.syncs[0]!.id).sync)
  })

  test('of an issue has the body of the issues list', async () => {
    await harness.announce(
      0,
      ...seeded.issues.map((row) => issueEvent('issue.reported', row, seeded.connection, 'Sandbox')),
    )
    const details = await detailsOf('issue.reported', 'issue')
    const { results } = await get('/issues', harness.seeded.client)
    expect(results).toHaveLength(seeded.issues.length)
    for (const listed of results) {
      expect(details.get(listed.id)).toEqual({ connection: brief(), issue: listed })
      expectConforms(issue, listed)
    }
  })

  async function storedConnection(id: string): Promise<Connection> {
    const found = await findById(harness.rest.db, Connection, id)
    if (!found) throw new Error('there is no such connection')
    return found
  }

  test.each(Object.values(ConnectionStatus))(
    'of a connection that is %s has the body of the connections list',
    async (status) => {
      for (const [at, { connection, token }] of harness.seeded.connections.entries()) {
        const { id } = connection
        await harness.record((tx) =>
          tx.run('UPDATE `connections` SET `status` = ? WHERE `id` = ?', [status, id]),
        )
        await harness.announce(
          at,
          connectionEvent('connection.updated', await storedConnection(id), 'Sandbox'),
        )
        const { results } = await get('/connections', harness.seeded.client)
        const detail = (await harness.read('&types=connection.updated')).at(-1)?.detail
        expect(detail).toEqual({ connection: results[at] })
        expect(detail.connection.token).toBe(token)
        const isDeleted = status === ConnectionStatus.DELETING || status === ConnectionStatus.DELETED
        expect(detail.connection.linkUrl?.endsWith(`${id}?key=${KEY}`)).toBe(isDeleted ? undefined : true)
        if (!isDeleted) expectConforms(connectionMembers, detail.connection)
      }
    },
  )

  test('has no token in the database', async () => {
    const stored = await harness.rest.db.rows<{ detail: string }>('SELECT `detail` FROM `events`')
    expect(stored.length).toBeGreaterThan(10)
    expect(JSON.stringify(stored)).not.toContain('con_tkn_')
  })

  test('does not change when the key in its link URL is revoked', async () => {
    await harness.announce(
      0,
      connectionEvent('connection.created', await storedConnection(seeded.connection.id), 'Sandbox'),
    )
    const before = await harness.rest.get('/events?types=connection.created', harness.seeded.client)
    await harness.record((tx) =>
      tx.run('UPDATE `api_keys` SET `revokedAt` = ? WHERE `publishable` = ?', [Date.now() + 1, KEY]),
    )
    const after = await harness.rest.get('/events?types=connection.created', harness.seeded.client)
    expect(before.body.results).toHaveLength(1)
    expect(after.text).toBe(before.text)
  })

  test('with an older detail is returned unchanged', async () => {
    const owner = { applicationId: harness.seeded.id, connectionId: seeded.connection.id }
    const rows = [
      eventRow(owner, {
        type: 'driver.added',
        detail: { driver: { id: 'drv_1', addedAt: 5 }, connection: brief() },
      }),
      eventRow(owner, { type: 'connection.completed', detail: {} }),
    ]
    await harness.record((tx) => tx.insert(tableOf(EventRow), rows))
    const events = await harness.read('&types=driver.added,connection.completed')
    expect(events.map(({ detail }) => detail)).toEqual(rows.map(({ detail }) => detail))
  })
})

/** Checks a record against the specification, except `raw`, and `phone`, which is invalid in the factories. */
function expectConforms(
  { raw: _, phone: __, ...members }: Members,
  record: Readonly<Record<string, unknown>>,
) {
  expect(objectOf(members)(record)).toBeNull()
}
