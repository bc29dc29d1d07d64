import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { Tenant } from '../../../src/domain/tenant-scope.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { LatestVehicleLocation } from '../../../src/subgraphs/telemetry/location.ts'
import {
  locationStream,
  type LocationStreamFilter,
} from '../../../src/subgraphs/telemetry/location-stream.ts'
import { locationsTopic } from '../../../src/subgraphs/telemetry/topics.ts'
import {
  dialects,
  latestLocationRow,
  masterEncryption,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { setFilters } from '../../support/graph/set-filters.ts'

/** More than a page of a snapshot. */
const COUNT = 1100
const FIRST_STAMP = 1_800_000_000_000

describe.each(dialects)('a stream of locations with a snapshot on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let seeded: SeededApplication
  let rows: LatestVehicleLocation[]
  const notifier = createInProcessNotifier()
  let stamp = FIRST_STAMP

  beforeEach(async () => {
    db = await temporaryDatabase(dialect)
    const records = (count: number) => (owner: Parameters<typeof vehicleRow>[0]) => {
      const vehicles = Array.from({ length: count }, (_, at) => vehicleRow(owner, { sourceId: `v${at}` }))
      const latestLocations = vehicles.map(({ id }) =>
        latestLocationRow(owner, { vehicleId: id, modifiedAt: FIRST_STAMP }),
      )
      return { vehicles, latestLocations }
    }
    seeded = await seedApplication(db, [records(COUNT), records(20)])
    await seedApplication(db, [records(3)])
    rows = seeded.connections.flatMap(({ latestLocations }) => [...latestLocations])
    stamp = FIRST_STAMP
  })
  afterEach(() => db[Symbol.asyncDispose]())

  const open = (filter: Partial<LocationStreamFilter> = {}, tenant: Partial<Tenant> = {}) =>
    locationStream(
      { db, notifier, cursorKey: masterEncryption.derive('cursors') },
      { applicationId: seeded.id, connectionIds: null, ...tenant },
      { snapshot: true, ...filter },
    )

  /** Stores a newer location of a vehicle. */
  async function move({ vehicleId }: LatestVehicleLocation): Promise<number> {
    stamp += 1
    await db.transaction((tx) =>
      tx.run('UPDATE `latest_vehicle_locations` SET `modifiedAt` = ? WHERE `vehicleId` = ?', [
        stamp,
        vehicleId,
      ]),
    )
    notifier.notify(locationsTopic(seeded.id))
    return stamp
  }

  async function take(stream: AsyncIterator<LatestVehicleLocation>, count: number) {
    const taken: LatestVehicleLocation[] = []
    while (taken.length < count) taken.push((await stream.next()).value)
    return taken
  }

  const idsOf = (some: readonly LatestVehicleLocation[]) => some.map(({ vehicleId }) => vehicleId)

  test('delivers every stored location, and then each change once, also of the time of the snapshot', async () => {
    const stream = open()
    const all = idsOf(rows).sort()
    const before = await take(stream, 100)
    // One of the delivered locations and one of those to come change while the snapshot is read.
    const delivered = rows.find(({ vehicleId }) => vehicleId === before[7]!.vehicleId)!
    const coming = rows.find(({ vehicleId }) => vehicleId === all.at(-1))!
    const deliveredStamp = await move(delivered)
    const comingStamp = await move(coming)
    const rest = await take(stream, all.length - 100)
    expect(idsOf([...before, ...rest])).toEqual(all)
    expect(rest.at(-1)!.modifiedAt).toBe(comingStamp)
    const [changed] = await take(stream, 1)
    expect(changed).toMatchObject({ vehicleId: delivered.vehicleId, modifiedAt: deliveredStamp })
    // The change of the time of the snapshot is not repeated.
    const next = stream.next()
    const lastStamp = await move(rows[3]!)
    expect((await next).value).toMatchObject({ vehicleId: rows[3]!.vehicleId, modifiedAt: lastStamp })
    await stream.return?.()
  })

  test('has only the vehicles of the requested connections', async () => {
    const [, second] = seeded.connections
    const { id } = second!.connection
    const own = rows.filter(({ connectionId }) => connectionId === id)
    const stream = open({ connectionIds: [id] })
    expect(idsOf(await take(stream, own.length))).toEqual(idsOf(own).sort())
    const next = stream.next()
    await move(rows[0]!)
    await move(own[4]!)
    expect((await next).value.vehicleId).toBe(own[4]!.vehicleId)
    await stream.return?.()
    const foreign = open({ connectionIds: [newId('connection')] })
    const nothing = foreign.next()
    await move(own[5]!)
    await foreign.return?.()
    expect(await nothing).toEqual({ done: true, value: undefined })
  })

  test('has no connection that the caller may not read', async () => {
    const [first, second] = seeded.connections
    const stream = open({ connectionIds: [first!.connection.id] }, { connectionIds: [second!.connection.id] })
    const nothing = stream.next()
    await move(rows[0]!)
    await stream.return?.()
    expect(await nothing).toEqual({ done: true, value: undefined })
  })

  test('leaves out hidden vehicles', async () => {
    const [, second] = seeded.connections
    const own = rows.filter(({ connectionId }) => connectionId === second!.connection.id)
    await setFilters(db, second!, { vehicles: { includeIds: [own[2]!.vehicleId, own[6]!.vehicleId] } })
    const stream = open({ connectionIds: [second!.connection.id] })
    expect(idsOf(await take(stream, 2)).sort()).toEqual([own[2]!.vehicleId, own[6]!.vehicleId].sort())
    await stream.return?.()
  })

  test('refuses ids of other kinds', () => {
    expect(() => open({ connectionIds: [newId('vehicle')] })).toThrow('`connectionIds`')
  })
})
