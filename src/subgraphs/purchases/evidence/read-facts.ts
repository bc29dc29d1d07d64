import type { Rows } from '../../../storage/database.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import type { VisibleReads } from '../../tables/visible-reads.ts'
import type { PurchasePhase } from '../purchase-enums.ts'
import type {
  FuelLevelFacts,
  OtherPurchase,
  PositionFacts,
  Purchase,
  PurchaseFacts,
  VehicleFacts,
} from '../rules/purchase-facts.ts'
import { readOtherPurchases } from './other-purchases.ts'
import { fuelLevelBefore, locationBefore } from './series-before.ts'
import { type LocationRow, readVehicle, type VehicleRow } from './vehicle-row.ts'

/** What has been read so far. A member that is undefined has not arrived. */
interface KnownRows {
  vehicle?: VehicleRow
  isHidden?: boolean
  isDriverShown?: boolean
  others?: OtherPurchase[]
  earlierLocation?: LocationRow | null
  earlierFuelLevel?: FuelLevelFacts | null
}

/** Where facts are read. */
export interface FactsSource {
  readonly db: Rows
  readonly visible: VisibleReads
}

/** Reads of the facts of one purchase. */
export interface FactsRead {
  /** Ends when everything is read. Rejects if the caller has no such vehicle, or the database fails. */
  readonly done: Promise<unknown>
  /** Returns the vehicle; null if it has not been read. */
  vehicle(): VehicleRow | null
  /** Whether it is known that the caller may see the driver of the purchase. */
  isDriverShown(): boolean
  /** Returns what has been read so far. */
  facts(): PurchaseFacts
}

/**
 * Begins to read what the rules need, from stored state only: the vehicle with its connection and latest location, the
 * filters of connections, and other purchases, at the same time. Then come an earlier location and fuel level, if the
 * latest ones are later than the purchase. That makes three to five statements, and up to three more for a connection
 * with filters.
 */
export function readFacts(
  { db, visible }: FactsSource,
  caller: Tenant,
  purchase: Purchase,
  phase: PurchasePhase,
): FactsRead {
  const known: KnownRows = {}
  const { vehicleId, driverId, purchasedAt } = purchase

  async function readVehicleAndPoints(): Promise<void> {
    const vehicle = await readVehicle(db, caller, purchase)
    known.vehicle = { ...vehicle, latest: await shown(vehicle.latest) }
    await Promise.all([readEarlierLocation(vehicle.latest), readEarlierFuelLevel(vehicle.latest)])
  }

  /** Returns the location without a hidden driver. */
  async function shown(location: LocationRow | null): Promise<LocationRow | null> {
    const [row = null] = await visible.withoutHiddenDrivers(location ? [location] : [])
    return row
  }

  async function readEarlierLocation(latest: LocationRow | null): Promise<void> {
    if (latest && latest.locatedAt <= purchasedAt) return
    known.earlierLocation = await shown(await locationBefore(db, caller, vehicleId, purchasedAt))
  }

  async function readEarlierFuelLevel(latest: LocationRow | null): Promise<void> {
    if (fuelLevelOf(latest, purchasedAt)) return
    known.earlierFuelLevel = await fuelLevelBefore(db, caller, vehicleId, purchasedAt)
  }

  async function readVisibility(): Promise<void> {
    known.isHidden = (await visible.reference('vehicles', vehicleId)) === null
    known.isDriverShown = (await visible.reference('drivers', driverId)) !== null
  }

  async function readOthers(): Promise<void> {
    known.others = await readOtherPurchases(db, caller, purchase, phase)
  }

  return {
    done: Promise.all([readVehicleAndPoints(), readVisibility(), readOthers()]),
    vehicle: () => known.vehicle ?? null,
    isDriverShown: () => known.isDriverShown ?? false,
    facts: () => toFacts(purchase, known),
  }
}

/** Returns the facts. Nothing about a vehicle is used before it is known that no filter hides it. */
function toFacts(purchase: Purchase, known: KnownRows): PurchaseFacts {
  const { vehicle, isHidden, others = null, earlierLocation = null, earlierFuelLevel = null } = known
  const unseen = { purchase, vehicle: null, position: null, fuelLevel: null, others }
  if (!vehicle || isHidden === undefined) return unseen
  if (isHidden)
    return {
      ...unseen,
      vehicle: { ...vehicleFacts(vehicle), isHidden, fuelType: null, capacityLiters: null },
    }
  const { latest } = vehicle
  return {
    purchase,
    others,
    vehicle: vehicleFacts(vehicle),
    position: nearestOf(latest, earlierLocation, purchase.purchasedAt),
    fuelLevel: fuelLevelOf(latest, purchase.purchasedAt) ?? earlierFuelLevel,
  }
}

const vehicleFacts = ({
  status,
  deletedAt,
  connection,
  fuelType,
  fuelTankCapacity,
}: VehicleRow): VehicleFacts => ({
  isActive: status === 'active' && deletedAt === null,
  isConnected: connection.status === 'connected',
  isHidden: false,
  fuelType,
  capacityLiters: fuelTankCapacity,
})

/** Returns the position that was measured closest to a time. */
function nearestOf(
  latest: LocationRow | null,
  earlier: LocationRow | null,
  at: number,
): PositionFacts | null {
  const distance = (row: LocationRow) => Math.abs(row.locatedAt - at)
  const row = latest && earlier && distance(earlier) < distance(latest) ? earlier : (latest ?? earlier)
  if (!row) return null
  return {
    point: { longitude: row.longitude, latitude: row.latitude },
    locatedAt: row.locatedAt,
    receivedAt: row.modifiedAt,
    speedKmh: row.speed,
    engineState: row.engineState,
    driverId: row.driverId,
  }
}

/** Returns the fuel level of the latest location. Null if there is none, or it may contain the fuel of the purchase. */
function fuelLevelOf(latest: LocationRow | null, at: number): FuelLevelFacts | null {
  if (latest?.fuelPrimaryPercentage == null || latest.locatedAt > at) return null
  const { fuelPrimaryPercentage: first, fuelSecondaryPercentage: second } = latest
  return { percent: second === null ? first : (first + second) / 2, measuredAt: latest.locatedAt }
}
