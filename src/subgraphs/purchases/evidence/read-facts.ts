import type { Instant } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import type { VisibleReads } from '../../tables/visible-reads.ts'
import { readEffectivePolicy } from '../policy/effective-policy.ts'
import type { PurchasePolicy } from '../policy/policy.ts'
import { targetsOf } from '../policy/policy-target.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import type {
  FuelLevelFacts,
  JurisdictionFacts,
  OtherPurchase,
  PositionFacts,
  Purchase,
  PurchaseFacts,
  VehicleFacts,
} from '../rules/purchase-facts.ts'
import type { Merchant } from '../merchant.ts'
import { findJurisdiction } from './find-jurisdiction.ts'
import { findKnownPlaces, type KnownPlaces } from './find-known-places.ts'
import { FILL_MS, SAME_LEVEL_PERCENT } from '../rules/fuel-levels.ts'
import { placeOf } from './merchant-place.ts'
import { readOtherPurchases, type UnplacedPurchase } from './other-purchases.ts'
import { capacityProblemOf, levelProblemOf } from './learnt-tank.ts'
import { fuelLevelBefore, locationAt } from './series-points.ts'
import { type LocationRow, readVehicle, type VehicleRow } from './vehicle-row.ts'

/** What has been read so far. A member that is undefined has not arrived. */
interface KnownRows {
  vehicle?: VehicleRow
  visibility?: Visibility
  policy?: PurchasePolicy
  others?: OtherPurchase[]
  /** Place of the merchant after its site and its learnt place were looked up. */
  place?: Pick<Purchase, 'place' | 'isAddressWrong'>
  /** Locations before and after the purchase, if the latest one is not from before it. */
  track?: readonly LocationRow[]
  loggedFuelLevel?: FuelLevelFacts | null
  jurisdiction?: JurisdictionFacts | null
}

/** Where facts are read. */
export interface FactsSource {
  readonly db: Pick<Database, 'rows' | 'dialect'>
  readonly visible: VisibleReads
}

interface ReadRequest {
  /** Purchase with the place of its merchant as it is known without sites and learnt places. */
  readonly purchase: Purchase
  readonly merchant: Merchant
  readonly phase: PurchasePhase
  /** Time whose policy applies. */
  readonly now: Instant
}

/** Whether the caller may see the vehicle and the driver of a purchase. */
interface Visibility {
  readonly isVehicleShown: boolean
  readonly isDriverShown: boolean
}

/** Reads of the facts of one purchase. */
export interface FactsRead {
  /** Ends when it is known whether filters hide the vehicle or the driver. */
  readonly visibility: Promise<unknown>
  /** Ends when everything is read. Rejects if the caller has no such vehicle, or the database fails. */
  readonly done: Promise<unknown>
  /** Returns the vehicle; null if it has not been read. */
  vehicle(): VehicleRow | null
  /** Whether it is known that the caller may see the vehicle. */
  isVehicleShown(): boolean
  /** Whether it is known that the caller may see the driver of the purchase. */
  isDriverShown(): boolean
  /** Returns the policy; null if it has not been read. */
  policy(): PurchasePolicy | null
  /** Returns what has been read so far. */
  facts(): PurchaseFacts
}

/**
 * Begins to read what the rules need, from stored state only: the vehicle with its connection and latest location, the
 * last fuel level, the filters of connections, and other purchases, at the same time. Then come the policy, the known
 * places of all merchants, and for a purchase of the past the locations around it. That makes five to eight statements,
 * and up to four more for a connection with filters.
 */
export function readFacts(
  { db, visible }: FactsSource,
  caller: Tenant,
  { purchase, merchant, phase, now }: ReadRequest,
): FactsRead {
  const known: KnownRows = {}
  const { vehicleId, driverId, purchasedAt } = purchase
  const levelAt = levelTimeOf(phase, purchasedAt)

  const vehicleRow = readVehicle(db, caller, purchase)

  async function readVehicleAndPoints(): Promise<void> {
    const vehicle = await vehicleRow
    const [latest = null] = await visible.withoutHiddenDrivers(vehicle.latest ? [vehicle.latest] : [])
    known.vehicle = { ...vehicle, latest }
    await Promise.all([readPolicy(vehicle), readTrack(vehicle.latest)])
  }

  async function readPolicy(vehicle: VehicleRow): Promise<void> {
    known.policy = await readEffectivePolicy(db, caller, targetsOf({ vehicleId, ...vehicle }), now)
  }

  async function readTrack(latest: LocationRow | null): Promise<void> {
    if (latest && latest.locatedAt <= purchasedAt) return
    const sides = latest ? (['before', 'after'] as const) : (['before'] as const)
    const found = await Promise.all(
      sides.map((side) => locationAt(db, caller, vehicleId, { at: purchasedAt, side })),
    )
    known.track = await visible.withoutHiddenDrivers(found.filter((row) => row !== null))
  }

  async function readFuelLevel(): Promise<void> {
    known.loggedFuelLevel = await fuelLevelBefore(db, caller, vehicleId, levelAt)
  }

  async function readVisibility(): Promise<void> {
    const [vehicle, driver] = await Promise.all([
      visible.reference('vehicles', vehicleId),
      visible.reference('drivers', driverId),
    ])
    known.visibility = { isVehicleShown: vehicle !== null, isDriverShown: driver !== null }
  }

  async function readOthersAndPlaces(): Promise<void> {
    const others = await readOtherPurchases(db, caller, purchase, { phase })
    // If the places are late, the rules that need none still have the other purchases.
    known.others = await withPlaces(others, () => NOTHING_KNOWN)
    const owner = { applicationId: caller.applicationId, connectionId: (await vehicleRow).connectionId }
    const placesOf = await findKnownPlaces(db, owner, [merchant, ...others.map((other) => other.merchant)])
    if (!placesOf) return
    known.others = await withPlaces(others, placesOf)
    const places = placesOf(merchant)
    const place = await placeOf(merchant, places)
    known.place = { place, isAddressWrong: place === null && places.isAddressWrong === true }
  }

  async function locate(): Promise<void> {
    const located = { ...purchase, ...known.place }
    known.jurisdiction = await findJurisdiction(located, merchant, positionIn(known, purchasedAt))
  }

  const points = readVehicleAndPoints()
  const visibility = readVisibility()
  const places = readOthersAndPlaces()
  return {
    visibility,
    done: Promise.all([Promise.all([points, places]).then(locate), visibility, readFuelLevel()]),
    vehicle: () => known.vehicle ?? null,
    policy: () => known.policy ?? null,
    isVehicleShown: () => known.visibility?.isVehicleShown ?? false,
    isDriverShown: () => known.visibility?.isDriverShown ?? false,
    facts: () => toFacts(purchase, known, levelAt),
  }
}

/** Returns the time whose fuel level counts. A level after a capture may already contain the captured fuel. */
export const levelTimeOf = (phase: PurchasePhase, purchasedAt: Instant): Instant =>
  phase === PurchasePhase.CAPTURE ? purchasedAt - FILL_MS : purchasedAt

const NOTHING_KNOWN: KnownPlaces = {}

const withPlaces = (
  others: readonly UnplacedPurchase[],
  placesOf: (merchant: Merchant) => KnownPlaces,
): Promise<OtherPurchase[]> =>
  Promise.all(
    others.map(async ({ merchant, ...other }) => ({
      ...other,
      place: await placeOf(merchant, placesOf(merchant)),
    })),
  )

/** Stands for reads of a purchase whose vehicle is unknown. */
export const readNothing = (purchase: Purchase): FactsRead => ({
  visibility: Promise.resolve(),
  done: Promise.resolve(),
  vehicle: () => null,
  policy: () => null,
  isVehicleShown: () => false,
  isDriverShown: () => false,
  facts: () => toFacts(purchase, {}, purchase.purchasedAt),
})

/** Returns the facts. Nothing about a vehicle is used before it is known that no filter hides it. */
function toFacts(given: Purchase, known: KnownRows, levelAt: Instant): PurchaseFacts {
  const { vehicle, visibility, others = null, loggedFuelLevel = null, jurisdiction = null } = known
  const purchase = { ...given, ...known.place }
  const nothing = { vehicle: null, position: null, jurisdiction: null, fuelLevel: null }
  const unseen = { purchase, ...nothing, others, refill: null }
  if (!vehicle || !visibility) return unseen
  const facts = vehicleFacts(vehicle)
  if (!visibility.isVehicleShown) return { ...unseen, vehicle: hiddenVehicle(facts) }
  return {
    purchase,
    others,
    refill: null,
    vehicle: facts,
    position: positionIn(known, purchase.purchasedAt),
    jurisdiction,
    fuelLevel: fuelLevelOf(vehicle.latest, loggedFuelLevel, levelAt),
  }
}

/** Returns what the rules know of a vehicle that no filter hides. */
export const vehicleFacts = ({
  status,
  deletedAt,
  connection,
  timeZone,
  fuelType,
  fuelTankCapacity,
  capacitySource,
  tank,
}: VehicleRow): VehicleFacts => ({
  isActive: status === 'active' && deletedAt === null,
  isConnected: connection.status === 'connected',
  isHidden: false,
  timeZone,
  fuelType,
  capacityLiters: fuelTankCapacity,
  capacitySource,
  learntLiters: tank.capacity?.mostLiters ?? null,
  levelProblem: levelProblemOf(tank),
  capacityProblem: capacityProblemOf(tank, fuelTankCapacity),
})

const NO_FACTS = {
  timeZone: null,
  fuelType: null,
  capacityLiters: null,
  capacitySource: null,
  learntLiters: null,
  levelProblem: null,
  capacityProblem: null,
}

/** Returns what the rules know of a vehicle that filters hide. */
export const hiddenVehicle = (facts: VehicleFacts): VehicleFacts => ({
  ...facts,
  isHidden: true,
  ...NO_FACTS,
})

/** Returns the position that was measured closest to a time. */
function positionIn({ vehicle, track = [] }: KnownRows, at: Instant): PositionFacts | null {
  const distance = (row: LocationRow) => Math.abs(row.locatedAt - at)
  const [row] = [vehicle?.latest ?? null, ...track]
    .filter((one) => one !== null)
    .toSorted((one, other) => distance(one) - distance(other))
  return row ? positionOf(row) : null
}

/** Returns what the rules know of a location. */
export const positionOf = (row: LocationRow): PositionFacts => ({
  point: { longitude: row.longitude, latitude: row.latitude },
  locatedAt: row.locatedAt,
  receivedAt: row.modifiedAt,
  speedKmh: row.speed,
  engineState: row.engineState,
  driverId: row.driverId,
})

/** Whether the provider reports the level of a second tank, which the log does not have. */
export const hasSecondTank = (latest: LocationRow | null): boolean =>
  latest !== null && latest.fuelSecondaryPercentage !== null

/**
 * Returns the last fuel level before a time. Providers repeat the last level with each location, however old it is. If
 * the measurements have the same level, their time is that of the level.
 */
function fuelLevelOf(
  latest: LocationRow | null,
  logged: FuelLevelFacts | null,
  at: Instant,
): FuelLevelFacts | null {
  // The log has only the first of two tanks.
  if (latest?.fuelPrimaryPercentage == null || latest.locatedAt > at)
    return hasSecondTank(latest) ? null : logged
  const { fuelPrimaryPercentage: first, fuelSecondaryPercentage: second, locatedAt } = latest
  const isRepeated = logged !== null && Math.abs(logged.percent - first) < SAME_LEVEL_PERCENT
  return {
    percent: second === null ? first : (first + second) / 2,
    measuredAt: isRepeated ? logged.measuredAt : locatedAt,
  }
}
