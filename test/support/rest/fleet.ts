import { expect } from 'vitest'
import { latestRawOwnerId } from '../../../src/subgraphs/tables/raw-record.ts'
import { EngineState } from '../../../src/subgraphs/schema/enums/engine-state.ts'
import {
  agreementRow,
  bareVehicleRow,
  DAY,
  deviceRow,
  driverRow,
  groupRow,
  latestLocationRow,
  locationRow,
  MINUTE,
  NOON,
  type Owner,
  type ApiClient,
  type SeededApplication,
  seedApplication,
  rawRow,
  type Records,
  syncRow,
  vehicleRow,
} from '../factories.ts'
import {
  issueRow,
  latestTrailerLocationRow,
  rawPointRow,
  statRow,
  syncIssueRow,
  trailerRow,
} from '../rows/record-rows.ts'
import { drivesOf, dutiesOf } from './fleet-records.ts'
import type { RestHarness } from './rest-harness.ts'

/** A fleet with a record of each kind; expected-bodies.ts has its REST responses. */

/** Stores a connection with records of every kind, and an empty one. */
export const seedFleet = (rest: RestHarness): Promise<SeededApplication> =>
  seedApplication(
    rest.db,
    [recordsOf, () => ({})],
    [
      { externalId: 'ours-1' },
      {
        company: { name: null, dotNumbers: [] },
        account: { name: null, dotNumbers: [], user: null },
        tags: [],
        sourceId: null,
        options: {},
        filters: { vehicles: { status: 'active' } },
      },
    ],
  )

export type Roster = Pick<Records, 'groups' | 'drivers' | 'vehicles' | 'trailers' | 'devices'>

function recordsOf(owner: Owner) {
  const roster = rosterOf(owner)
  const raws = (ids: readonly string[]) => ids.map((id) => rawRow(owner, id))
  const records = {
    ...roster,
    ...drivesOf(owner, roster),
    ...dutiesOf(owner, roster),
    ...seriesOf(owner, roster),
    ...administrationOf(owner),
  }
  const { vehicles, drivers, groups, devices, trailers } = roster
  const recorded = [records.safetyEvents, records.hosLogs, records.hosDailyLogs, records.faultCodeEvents]
  return {
    ...records,
    raw: raws([
      ...[vehicles, drivers, groups.slice(1), devices, trailers, ...recorded].map((rows) => rows[0]!.id),
      latestRawOwnerId(vehicles[0]!.id),
      latestRawOwnerId(trailers[0]!.id),
      latestRawOwnerId(drivers[0]!.id),
      ...records.vehicleDays.slice(0, 1).map(({ id }) => id),
      ...records.iftaMonths.slice(0, 1).map(({ id }) => id),
    ]),
  }
}

function rosterOf(owner: Owner): Roster {
  const parent = groupRow(owner, { name: 'All' })
  const group = groupRow(owner, { parentId: parent.id, description: 'A "quoted" one' })
  const driver = driverRow(owner, { groupIds: [group.id] })
  const whole = vehicleRow(owner, {
    groupIds: [group.id],
    name: 'Nº 7 "Ünï"\n',
    fuelType: 'hybrid_diesel' as never,
  })
  const bare = bareVehicleRow(owner)
  const gone = vehicleRow(owner, { deletedAt: NOON - DAY })
  return {
    groups: [parent, group],
    drivers: [driver],
    vehicles: [whole, bare, gone],
    trailers: [trailerRow(owner, { groupIds: [group.id] })],
    devices: [deviceRow(owner, { vehicleId: whole.id })],
  }
}

function seriesOf(owner: Owner, { vehicles, drivers, trailers }: Roster) {
  const [whole, bare] = vehicles.map(({ id }) => id) as [string, string]
  const stat = (type: string, value: number | null, at: number) =>
    statRow(owner, { vehicleId: whole, type: type as never, value, timestamp: NOON - DAY + at * MINUTE })
  return {
    track: [
      locationRow(owner, {
        vehicleId: whole,
        driverId: drivers[0]!.id,
        sourceId: 'point-1',
        addressText: 'I-35',
      }),
      locationRow(owner, {
        vehicleId: whole,
        locatedAt: NOON - DAY + MINUTE,
        heading: null,
        speed: null,
      }),
    ],
    latestLocations: [
      latestLocationRow(owner, { vehicleId: whole, driverId: drivers[0]!.id, fuelSecondaryPercentage: 20 }),
      latestLocationRow(owner, {
        vehicleId: bare,
        addressText: null,
        heading: null,
        speed: null,
        odometer: null,
        fuelPrimaryPercentage: null,
        engineState: null,
        engineRuntime: null,
      }),
    ],
    latestTrailerLocations: [latestTrailerLocationRow(owner, { trailerId: trailers[0]!.id })],
    statLogs: [
      { ...stat('engine_state', null, 0), state: EngineState.IDLE },
      ...statValues.slice(1).map(([type, , value], at) => stat(type, value as number, at + 1)),
    ],
    rawPoints: [
      rawPointRow(owner, { ownerId: whole, at: NOON - DAY }),
      rawPointRow(owner, { ownerId: whole, at: NOON - DAY, series: 'engine_state' }),
    ],
  }
}

/** Every measurement type with its member and a value. */
export const statValues: readonly (readonly [type: string, member: string, value: number | string])[] = [
  ['engine_state', 'state', 'idle'],
  ['odometer', 'odometer', 123_456.7],
  ['total_fuel_consumption', 'fuelConsumed', 9000.5],
  ['fuel_level', 'fuelPercentage', 61],
  ['engine_runtime', 'duration', 3_600_000_000],
  ['engine_rpm', 'rpm', 1450],
  ['engine_oil_percentage', 'percentage', 88],
  ['engine_oil_pressure', 'pressure', 41.5],
  ['engine_oil_temperature', 'temperature', 96.25],
  ['engine_coolant_temperature', 'temperature', 88],
  ['coolant_percentage', 'percentage', 100],
  ['battery_voltage', 'voltage', 13.8],
]

function administrationOf(owner: Owner) {
  const syncs = [
    syncRow(owner, {
      status: 'failed' as never,
      requestedAt: NOON - 3 * DAY,
      failureReason: 'The provider was away.',
      progress: 40,
      startFrom: NOON - 30 * DAY,
    }),
    syncRow(owner, { providerRequests: ['historical_files' as never] }),
  ]
  const issues = [
    issueRow(owner),
    issueRow(owner, { status: 'resolved' as never, code: 'data_delayed' as never, lastReportedAt: NOON }),
  ]
  return {
    syncs,
    issues,
    syncIssues: [syncIssueRow(owner, syncs[1]!.id, issues[0]!.id)],
    agreements: [agreementRow(owner)],
  }
}

/** Returns the body of a successful response. */
export async function found(rest: RestHarness, path: string, client: ApiClient) {
  const { status, body, headers } = await rest.get(path, client)
  expect(body).not.toHaveProperty('code')
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  return body
}
