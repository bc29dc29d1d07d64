import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/ids.ts'
import { one } from '../../src/storage/one.ts'
import { LogEntry } from '../../src/storage/outbox.ts'
import { tableOf } from '../../src/storage/table.ts'
import { connectionEvent, issueEvent } from '../../src/subgraphs/connections/announcements.ts'
import { Connection, ConnectionStatus } from '../../src/subgraphs/connections/connection.ts'
import { announcePositions } from '../../src/intake/announce-positions.ts'
import { announceSync } from '../../src/sync/announce-sync.ts'
import { announceChanges } from '../../src/sync/reading/changes.ts'
import { type StoredModel, storedModels } from '../../src/sync/reading/stored-models.ts'
import type { Sourced } from '../../src/subgraphs/sourced.ts'
import { dialects, eventRow, type PlantedConnection } from '../factories.ts'
import { driver, latestVehicleLocation, safetyEvent, vehicle } from '../conformance/records/models.ts'
import { connection as connectionMembers, issue, sync } from '../conformance/records/other-models.ts'
import { type Members, objectOf } from '../conformance/shapes.ts'
import { type LogRig, startLog, type Told } from './rig.ts'

const KEY = 'odo_pk_not_a_real_key'

describe.each(dialects)('an event on %s', (dialect) => {
  let rig: LogRig
  let whole: PlantedConnection

  beforeAll(async () => {
    rig = await startLog(dialect)
    whole = rig.planted.connections[0]!
    await rig.rest.db.transaction((tx) =>
      tx.run(
        "INSERT INTO `api_keys` (`id`, `applicationId`, `use`, `hash`, `hint`, `publishable`, `createdAt`) VALUES (?, ?, 'publishable', ?, '_key', ?, 0)",
        [newId('key'), rig.planted.id, newId('key'), KEY],
      ),
    )
  })

  afterAll(() => rig[Symbol.asyncDispose]())

  const get = async (path: string, party = rig.planted.narrowed(0)) => (await rig.rest.get(path, party)).body

  /** The newest events of a type, by the record that they tell of. */
  async function told(type: string, name: string, idOf = (record: Told['detail']) => record.id) {
    const events = (await rig.read(`&types=${type}`)).map(({ detail }) => detail)
    return new Map<string, Told['detail']>(events.map((detail) => [idOf(detail[name]), detail]))
  }

  const change = (model: 'Vehicle' | 'Driver' | 'SafetyEvent', rows: readonly object[]) =>
    rig.tell((tx) =>
      announceChanges(
        tx,
        storedModels[model] as unknown as StoredModel<unknown>,
        { connection: whole.connection, syncId: newId('sync'), stamp: Date.now() },
        'Sandbox',
        (rows as readonly Sourced[]).map((row) => ({ kind: 'modified', row })),
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
    const patched = await rig.rest.write('PATCH', '/connections/current', rig.planted.narrowed(0), {
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
    await rig.tell((tx) => announcePositions(tx, wanted, 'Sandbox', whole.latestLocations, Date.now()))
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
      await rig.tell((tx) => announceSync(tx, row, 'sync.failed', 'Sandbox', Date.now()))
    const details = await told('sync.failed', 'sync')
    for (const { id } of whole.syncs)
      expect(details.get(id)).toEqual({ connection: brief(), sync: await get(`/syncs/${id}`) })
    expect(details.get(whole.syncs[1]!.id).sync.issues).toEqual([whole.issues[0]!.id])
    expectAs(sync, details.get(whole.syncs[0]!.id).sync)
  })

  test('tells of an issue what the list of issues has', async () => {
    await rig.announce(
      0,
      ...whole.issues.map((row) => issueEvent('issue.reported', row, whole.connection, 'Sandbox')),
    )
    const details = await told('issue.reported', 'issue')
    const { results } = await get('/issues', rig.planted.party)
    expect(results).toHaveLength(whole.issues.length)
    for (const listed of results) {
      expect(details.get(listed.id)).toEqual({ connection: brief(), issue: listed })
      expectAs(issue, listed)
    }
  })

  async function storedConnection(id: string): Promise<Connection> {
    const found = await one(rig.rest.db, Connection, id)
    if (!found) throw new Error('there is no such connection')
    return found
  }

  test.each(Object.values(ConnectionStatus))(
    'tells of a connection that is %s what the list has',
    async (status) => {
      for (const [at, { connection, token }] of rig.planted.connections.entries()) {
        const { id } = connection
        await rig.tell((tx) => tx.run('UPDATE `connections` SET `status` = ? WHERE `id` = ?', [status, id]))
        await rig.announce(at, connectionEvent('connection.updated', await storedConnection(id), 'Sandbox'))
        const { results } = await get('/connections', rig.planted.party)
        const detail = (await rig.read('&types=connection.updated')).at(-1)?.detail
        expect(detail).toEqual({ connection: results[at] })
        expect(detail.connection.token).toBe(token)
        const isGone = status === ConnectionStatus.DELETING || status === ConnectionStatus.DELETED
        expect(detail.connection.linkUrl?.endsWith(`${id}?key=${KEY}`)).toBe(isGone ? undefined : true)
        if (!isGone) expectAs(connectionMembers, detail.connection)
      }
    },
  )

  test('keeps no token in the log', async () => {
    const stored = await rig.rest.db.rows<{ detail: string }>('SELECT `detail` FROM `events`')
    expect(stored.length).toBeGreaterThan(10)
    expect(JSON.stringify(stored)).not.toContain('con_tkn_')
  })

  test('says the same, byte for byte, when the key that stands in its link is revoked', async () => {
    await rig.announce(
      0,
      connectionEvent('connection.created', await storedConnection(whole.connection.id), 'Sandbox'),
    )
    const before = await rig.rest.get('/events?types=connection.created', rig.planted.party)
    await rig.tell((tx) =>
      tx.run('UPDATE `api_keys` SET `revokedAt` = ? WHERE `publishable` = ?', [Date.now() + 1, KEY]),
    )
    const after = await rig.rest.get('/events?types=connection.created', rig.planted.party)
    expect(before.body.results).toHaveLength(1)
    expect(after.text).toBe(before.text)
  })

  test('of before, whatever it told, is still told', async () => {
    const owner = { applicationId: rig.planted.id, connectionId: whole.connection.id }
    const rows = [
      eventRow(owner, {
        type: 'driver.added',
        detail: { driver: { id: 'drv_1', addedAt: 5 }, connection: brief() },
      }),
      eventRow(owner, { type: 'connection.completed', detail: {} }),
    ]
    await rig.tell((tx) => tx.insert(tableOf(LogEntry), rows))
    const told = await rig.read('&types=driver.added,connection.completed')
    expect(told.map(({ detail }) => detail)).toEqual(rows.map(({ detail }) => detail))
  })
})

/** As the specification has it, but for what the provider sent; the phone numbers of factories are none. */
function expectAs({ raw: _, phone: __, ...members }: Members, record: Readonly<Record<string, unknown>>) {
  expect(objectOf(members)(record)).toBeNull()
}
