import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toIso } from '../../../src/domain/time.ts'
import {
  bareVehicleRow,
  DAY,
  driverRow,
  NOON,
  type SeededApplication,
  seedApplication,
  vehicleRow,
} from '../../support/factories.ts'
import {
  bareVehicle,
  deletedMetadata,
  rawOf,
  expectedDevice,
  expectedGroup,
  expectedVehicle,
} from '../../support/rest/expected-bodies.ts'
import { found, seedFleet } from '../../support/rest/fleet.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let seeded: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  seeded = await seedFleet(rest)
})

afterAll(() => rest[Symbol.asyncDispose]())

const own = () => seeded.connections[0]!
const ok = (path: string, client = seeded.narrowed(0)) => found(rest, path, client)

describe('vehicles', () => {
  test('are listed with references as ids and without null members', async () => {
    expect(await ok('/vehicles')).toEqual({ results: [expectedVehicle(own()), bareVehicle(own())] })
  })

  test('include deleted ones with deleted=true', async () => {
    const { results } = await ok('/vehicles?deleted=true&hidden=true')
    expect(results).toHaveLength(3)
    expect(results[2].metadata).toEqual(deletedMetadata)
  })

  test('leave out records that the filters of the connection hide, unless hidden=true', async () => {
    const hiding = await seedApplication(
      rest.db,
      [
        (owner) => ({
          vehicles: [vehicleRow(owner), bareVehicleRow(owner)],
          drivers: [driverRow(owner), driverRow(owner, { status: 'inactive' as never })],
        }),
      ],
      [{ filters: { vehicles: { status: 'active' }, drivers: { status: 'inactive' } } }],
    )
    const client = hiding.narrowed(0)
    for (const [path, shown, hidden] of [
      ['/vehicles', 0, 1],
      ['/drivers', 1, 0],
    ] as const) {
      const rows = hiding.connections[0]![path === '/vehicles' ? 'vehicles' : 'drivers']
      const visible = await ok(path, client)
      expect(visible.results.map(({ id }: { id: string }) => id)).toEqual([rows[shown]!.id])
      const all = (await ok(`${path}?hidden=true`, client)).results
      const visibility = (id: string) => all.find((one: { id: string }) => one.id === id).metadata.visibility
      expect([visibility(rows[shown]!.id), visibility(rows[hidden]!.id)]).toEqual([
        'visible',
        'hidden_by_status',
      ])
    }
  })

  test.each(['groups,devices', 'devices,groups'])('show expand=%s as whole records', async (expand) => {
    const {
      results: [first, second],
    } = await ok(`/vehicles?expand=${expand}`)
    expect(first).toEqual({
      ...expectedVehicle(own()),
      groups: [expectedGroup(own())],
      devices: [expectedDevice(own())],
    })
    expect(second).toEqual(bareVehicle(own()))
  })

  test('expand one reference and keep the other as an id', async () => {
    const {
      results: [vehicle],
    } = await ok('/vehicles?expand=groups')
    expect(vehicle).toEqual({ ...expectedVehicle(own()), groups: [expectedGroup(own())] })
  })

  test("show the provider's records with raw=true", async () => {
    const {
      results: [first, second],
    } = await ok('/vehicles?raw=true')
    expect(first).toEqual({ ...expectedVehicle(own()), raw: rawOf() })
    expect(second).toEqual({ ...bareVehicle(own()), raw: [] })
  })

  test('are found by id', async () => {
    const path = `/vehicles/${expectedVehicle(own()).id}`
    expect(await ok(path)).toEqual(expectedVehicle(own()))
    expect(await ok(`${path}?raw=true&expand=devices`)).toEqual({
      ...expectedVehicle(own()),
      devices: [expectedDevice(own())],
      raw: rawOf(),
    })
  })

  test('are filtered by modification time, with an inclusive start', async () => {
    const at = NOON - 5 * DAY
    expect((await ok(`/vehicles?modifiedAfter=${toIso(at)}`)).results).toHaveLength(2)
    expect((await ok(`/vehicles?modifiedAfter=${toIso(at + 1)}`)).results).toHaveLength(0)
    expect((await ok(`/vehicles?modifiedBefore=${toIso(at)}`)).results).toHaveLength(0)
    expect((await ok(`/vehicles?modifiedBefore=2027-01-01T00:00:00%2B02:00`)).results).toHaveLength(2)
  })
})
