import { writeFile } from 'node:fs/promises'
import { csvLine } from '../../../src/cli/csv.ts'
import type { Point } from '../../../src/domain/models/point.ts'
import { toIso } from '../../../src/domain/time.ts'
import { between, dice } from '../../../src/providers/sandbox/simulator/world/random.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Vehicle } from '../../../src/subgraphs/fleet/vehicle.ts'
import { VehicleLocation } from '../../../src/subgraphs/telemetry/location.ts'
import { VehicleStatLog } from '../../../src/subgraphs/telemetry/stat-log.ts'
import { DAY, locationRow, MINUTE, NOON, type Owner, vehicleRow } from '../../support/factories.ts'
import { statRow } from '../../support/rows/record-rows.ts'

/** Purchases of a fleet, and what its trackers sent about them. */
export interface PastFleet {
  readonly owner: Owner
  readonly vehicleIds: readonly string[]
  readonly purchases: readonly PlayedPurchase[]
}

interface PlayedPurchase {
  readonly vehicleId: string
  readonly at: number
  readonly station: Point
  readonly vehiclePoint: Point
  readonly liters: number
  /** Whether the position from before the purchase was received after it. */
  readonly isLate: boolean
}

const FROM = NOON - 15 * DAY
const ROWS_PER_INSERT = 500
const CAPACITY_LITERS = 400
const draw = dice('past purchases')
const drawHome = dice('homes of vehicles')

/** Draws the purchases of a fleet: one in twenty is far from its vehicle, and one position in five came late. */
export function drawPastFleet(owner: Owner, seed: number, vehicles: number, count: number): PastFleet {
  const vehicleIds = Array.from({ length: vehicles }, () => vehicleRow(owner).id)
  const rounds = Math.ceil(count / vehicles)
  const purchases = Array.from({ length: count }, (_, number): PlayedPurchase => {
    const random = (subject: number) => draw(seed, number, subject)
    const [round, vehicle] = [Math.floor(number / vehicles), number % vehicles]
    const vehiclePoint = {
      longitude: between(-120, -80, drawHome(seed, vehicle, 0)) + between(0, 0.5, random(0)),
      latitude: between(32, 46, drawHome(seed, vehicle, 1)) + between(0, 0.5, random(1)),
    }
    const away = random(2) < 0.05 ? between(1, 5, random(3)) : 0
    return {
      vehicleId: vehicleIds[vehicle]!,
      at: FROM + Math.floor((14 * DAY * (round + random(4) / 2)) / rounds),
      station: { ...vehiclePoint, latitude: vehiclePoint.latitude + away },
      vehiclePoint,
      liters: Math.round(between(50, CAPACITY_LITERS, random(5))),
      isLate: random(6) < 0.2,
    }
  })
  return { owner, vehicleIds, purchases }
}

/** Stores the vehicles of a fleet with a position and a fuel level from before each purchase. */
export async function storePastFleet(
  db: Database,
  { owner, vehicleIds, purchases }: PastFleet,
): Promise<void> {
  const vehicles = vehicleIds.map((id) =>
    vehicleRow(owner, { id: id as Vehicle['id'], sourceId: id, fuelTankCapacity: CAPACITY_LITERS }),
  )
  await insertAll(db, (tx, rows) => tx.insert(tableOf(Vehicle), rows), vehicles)
  const locations = purchases.map(({ vehicleId, at, vehiclePoint, isLate }) =>
    locationRow(owner, {
      vehicleId,
      ...vehiclePoint,
      speed: 0,
      locatedAt: at - 2 * MINUTE,
      modifiedAt: isLate ? at + 60 * MINUTE : at - MINUTE,
    }),
  )
  await insertAll(db, (tx, rows) => tx.insert(tableOf(VehicleLocation), rows), locations)
  const levels = purchases.map(({ vehicleId, at }) => levelRow(owner, vehicleId, at - 40 * MINUTE, 20))
  await insertAll(db, (tx, rows) => tx.insert(tableOf(VehicleStatLog), rows), levels)
}

/** Stores positions and levels that contradict each purchase, and were received after the last one. */
export async function storeLateData(db: Database, { owner, purchases }: PastFleet): Promise<void> {
  const locations = purchases.map(({ vehicleId, at, vehiclePoint }) =>
    locationRow(owner, {
      vehicleId,
      longitude: vehiclePoint.longitude + 8,
      latitude: vehiclePoint.latitude,
      locatedAt: at - 1,
      modifiedAt: NOON,
    }),
  )
  await insertAll(db, (tx, rows) => tx.insert(tableOf(VehicleLocation), rows), locations)
  const levels = purchases.map(({ vehicleId, at }) => ({
    ...levelRow(owner, vehicleId, at - 35 * MINUTE, 99),
    modifiedAt: NOON,
  }))
  await insertAll(db, (tx, rows) => tx.insert(tableOf(VehicleStatLog), rows), levels)
}

const levelRow = (owner: Owner, vehicleId: string, timestamp: number, value: number): VehicleStatLog =>
  statRow(owner, { vehicleId, type: 'fuel_level', timestamp, value, modifiedAt: timestamp })

type Insert<Row> = (tx: Parameters<Parameters<Database['transaction']>[0]>[0], rows: Row[]) => Promise<void>

async function insertAll<Row>(db: Database, insert: Insert<Row>, rows: readonly Row[]): Promise<void> {
  const background = db.inBackground()
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
    await background.transaction((tx) => insert(tx, rows.slice(from, from + ROWS_PER_INSERT)))
}

const COLUMNS = [
  'at',
  'vehicleId',
  'merchantName',
  'longitude',
  'latitude',
  'amount',
  'currency',
  'product',
  'liters',
]

/** Writes the purchases of a fleet as the file that the command reads. */
export const writePurchases = (file: string, { purchases }: PastFleet): Promise<void> =>
  writeFile(
    file,
    [
      csvLine(COLUMNS),
      ...purchases.map(({ at, vehicleId, station, liters }) =>
        csvLine([
          toIso(at),
          vehicleId,
          'Lone Star Fuel',
          station.longitude.toFixed(5),
          station.latitude.toFixed(5),
          liters,
          'USD',
          'diesel',
          liters,
        ]),
      ),
    ].join(''),
  )
