import { newId } from '../../../src/domain/ids.ts'
import type { HosStatus } from '../../../src/domain/models/hos-log.ts'
import { type Database } from '../../../src/storage/database.ts'
import type { FuelType, VehicleStatus } from '../../../src/subgraphs/fleet/vehicle.ts'
import { latestRawOwnerId } from '../../../src/subgraphs/tables/raw-record.ts'
import type { MilStatus } from '../../../src/subgraphs/records/fault-code-event.ts'
import { EngineState } from '../../../src/subgraphs/schema/enums/engine-state.ts'
import {
  agreementRow,
  deviceRow,
  driverRow,
  eventRow,
  groupRow,
  latestLocationRow,
  locationRow,
  MINUTE,
  NOON,
  type Owner,
  seedApplication,
  type SeededApplication,
  rawRow,
  type Records,
  type RecordsOf,
  safetyEventRow,
  syncRow,
  tripRow,
  vehicleRow,
} from '../factories.ts'
import {
  hosAvailableTimeRow,
  hosDailyLogRow,
  hosLogRow,
  iftaMonthRow,
  issueRow,
  faultCodeRow,
  latestTrailerLocationRow,
  obdiiRow,
  rawPointRow,
  statRow,
  syncIssueRow,
  trailerRow,
  vehicleDayRow,
} from '../rows/record-rows.ts'
import { captureRow, cardRow, purchaseCheckRow } from '../rows/purchase-rows.ts'
import { variedRecords } from './varied/records.ts'

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Records with values that no type of the graph can represent, as a faulty release might store them. */
export const brokenRecords: RecordsOf = (owner) => {
  const vehicles = [
    vehicleRow(owner, { name: 'Sound' }),
    vehicleRow(owner, { name: 'Odd fuel', fuelType: 'steam' as FuelType }),
    vehicleRow(owner, { name: 'Odd status', status: 'sleeping' as VehicleStatus }),
    vehicleRow(owner, { name: 'Odd status too', status: 'dreaming' as VehicleStatus }),
  ]
  const trips = [0, 2, 3].map((at) => tripRow(owner, { vehicleId: vehicles[at]!.id }))
  const latestLocations = [
    latestLocationRow(owner, { vehicleId: vehicles[0]!.id, engineState: 'purring' as EngineState }),
  ]
  const devices = [0, 1, 2].map((at) => deviceRow(owner, { vehicleId: vehicles[at]!.id }))
  const events = [0, 2].map((at) => eventRow(owner, { subjectId: vehicles[at]!.id }))
  const drivers = [driverRow(owner)]
  const [driverId, vehicleId] = [drivers[0]!.id, vehicles[0]!.id]
  return {
    vehicles,
    drivers,
    trips,
    latestLocations,
    devices,
    events,
    syncs: [syncRow(owner)],
    hosLogs: [
      hosLogRow(owner, { driverId, status: 'napping' as HosStatus }),
      hosLogRow(owner, { driverId, startedAt: NOON }),
    ],
    faultCodeEvents: [
      obdiiRow(owner, { vehicleId, milStatus: 'blinking' as MilStatus }),
      faultCodeRow(owner, { vehicleId, spn: 1.5 }),
    ],
    statLogs: [
      statRow(owner, { vehicleId, type: 'engine_state', state: 'purring' as EngineState, value: null }),
      statRow(owner, { vehicleId, value: null }),
      statRow(owner, { vehicleId, type: 'fuel_level' }),
    ],
  }
}

export interface SeededFleets {
  /** Two connections, both with varied records. */
  readonly a: SeededApplication
  readonly b: SeededApplication
  /** One connection with broken records, and one of an unknown provider. */
  readonly broken: SeededApplication
}

/** Filters that hide records for each possible reason, and show some of each kind. */
const filtersOver = ({ vehicles, drivers }: Records) => ({
  vehicles: { includeIds: [0, 2, 3].map((at) => vehicles[at]!.id), status: 'inactive', excludeIds: [] },
  drivers: { status: 'active', excludeIds: [drivers[3]!.id] },
})

export async function seedFleets(db: Database): Promise<SeededFleets> {
  const a = await seedApplication(
    db,
    [variedRecords, variedRecords],
    [
      { externalId: 'ours-1' },
      (records) => ({
        company: { name: null, dotNumbers: [] },
        account: { name: null, dotNumbers: ['7'], user: null },
        tags: [],
        filters: filtersOver(records),
      }),
    ],
  )
  const b = await seedApplication(db, [variedRecords])
  const broken = await seedApplication(db, [brokenRecords, () => ({})], [{}, { provider: 'withdrawn' }])
  return { a, b, broken }
}

/** Returns `count` records of each kind. Each vehicle and driver has records of every kind. */
export const uniformRecords =
  (count: number): RecordsOf =>
  (owner) => {
    const ids = times(2 * count, () => newId('group'))
    const regions = times(count, (at) => groupRow(owner, { id: ids[2 * at + 1]! }))
    const terminals = regions.map(({ id: parentId }, at) =>
      groupRow(owner, { id: ids[2 * at]!, name: 'Terminal', parentId }),
    )
    const groups = [...terminals, ...regions]
    const drivers = regions.map(({ id }) => driverRow(owner, { groupIds: [id] }))
    const vehicles = regions.map(({ id }) => vehicleRow(owner, { groupIds: [id] }))
    const trailers = regions.map(({ id }) => trailerRow(owner, { groupIds: [id] }))
    const pairs = vehicles.map(({ id }, at) => ({ vehicleId: id, driverId: drivers[at]!.id }))
    const syncs = times(count, () => syncRow(owner))
    const issues = syncs.map(() => issueRow(owner))
    const records = {
      groups,
      drivers,
      vehicles,
      trailers,
      devices: pairs.flatMap(({ vehicleId }) => times(2, () => deviceRow(owner, { vehicleId }))),
      ...uniformOfPairs(owner, pairs),
    }
    const series = uniformSeries(owner, pairs)
    return {
      ...records,
      ...series,
      latestTrailerLocations: trailers.map(({ id }) => latestTrailerLocationRow(owner, { trailerId: id })),
      raw: [
        ...Object.values(records).flatMap((rows) => rows.map(({ id }) => id)),
        ...[...vehicles, ...trailers, ...drivers].map(({ id }) => latestRawOwnerId(id)),
      ].map((id) => rawRow(owner, id)),
      syncs,
      issues,
      syncIssues: syncs.map(({ id }, at) => syncIssueRow(owner, id, issues[at]!.id)),
      agreements: [agreementRow(owner)],
      events: vehicles.map(({ id }) => eventRow(owner, { subjectId: id })),
      purchaseCards: pairs.map((pair) => cardRow(owner, pair)),
      purchaseChecks: pairs.flatMap((pair) => {
        const authorization = purchaseCheckRow(owner, pair)
        return [authorization, captureRow(owner, authorization)]
      }),
    }
  }

interface Pair {
  readonly vehicleId: string
  readonly driverId: string
}

/**
 * Returns records of each kind for each vehicle and its driver. The driver of the next pair is the codriver.
 */
function uniformOfPairs(owner: Owner, pairs: readonly Pair[]) {
  const each = <Row>(make: (pair: Pair, at: number) => Row[]): Row[] => pairs.flatMap(make)
  return {
    trips: each((pair) => [
      tripRow(owner, { ...pair, endedAt: NOON + 3 * MINUTE }),
      tripRow(owner, { ...pair, startedAt: NOON - MINUTE, endedAt: NOON + 3 * MINUTE }),
    ]),
    safetyEvents: each((pair) => [safetyEventRow(owner, pair)]),
    hosLogs: each((pair, at) => {
      const codriverIds = [pairs[(at + 1) % pairs.length]!.driverId]
      return [hosLogRow(owner, { ...pair, codriverIds }), hosLogRow(owner, { ...pair, startedAt: NOON })]
    }),
    hosDailyLogs: each(({ driverId }) =>
      ['2026-01-29', '2026-01-30'].map((date) => hosDailyLogRow(owner, { driverId, date })),
    ),
    faultCodeEvents: each(({ vehicleId }) => [
      faultCodeRow(owner, { vehicleId }),
      obdiiRow(owner, { vehicleId }),
    ]),
    vehicleDays: each(({ vehicleId }) =>
      ['2026-01-29', '2026-01-30'].map((date) => vehicleDayRow(owner, { vehicleId, date })),
    ),
    iftaMonths: each(({ vehicleId }) =>
      ['2026-01', '2026-02'].map((month) => iftaMonthRow(owner, { vehicleId, month })),
    ),
  }
}

function uniformSeries(owner: Owner, pairs: readonly Pair[]) {
  const points = <Row>(make: (pair: Pair, at: number) => Row): Row[] =>
    pairs.flatMap((pair) => times(3, (at) => make(pair, NOON + at * MINUTE)))
  return {
    latestLocations: pairs.map((pair) => latestLocationRow(owner, pair)),
    availableTimes: pairs.map(({ driverId }) => hosAvailableTimeRow(owner, { driverId })),
    track: points((pair, locatedAt) => locationRow(owner, { ...pair, locatedAt })),
    statLogs: points(({ vehicleId }, timestamp) => [
      statRow(owner, { vehicleId, timestamp }),
      statRow(owner, { vehicleId, timestamp, type: 'engine_state', state: EngineState.ON, value: null }),
    ]).flat(),
    rawPoints: points(({ vehicleId: ownerId }, at) =>
      ['location', 'odometer', 'engine_state'].map((series) => rawPointRow(owner, { ownerId, at, series })),
    ).flat(),
  }
}
