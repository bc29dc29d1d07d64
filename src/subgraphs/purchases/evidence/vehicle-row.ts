import { PublicError } from '../../../domain/errors.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Rows } from '../../../storage/database.ts'
import { and, equal, type Tenant, tenantWhere } from '../../../storage/sql/where.ts'
import { hasStatusFlag } from '../../tables/connection-states.ts'
import type { ReferencedConnection } from '../../tables/connection-reference.ts'
import { CapacitySource } from './capacity-source.ts'
import type { Purchase } from '../rules/purchase-facts.ts'
import { type LearntTank, type ObservedFill, tankOf } from './learnt-tank.ts'

/** Vehicle of a purchase, with its connection and its latest location. */
export interface VehicleRow {
  readonly connectionId: Id<'connection'>
  readonly status: string
  readonly deletedAt: number | null
  /** Time zone of the fleet; null if the provider does not supply it. */
  readonly timeZone: string | null
  /** The application's own fuel type and capacity, or those of the provider. Fills show the capacity if neither has one. */
  readonly fuelType: string | null
  readonly fuelTankCapacity: number | null
  readonly capacitySource: CapacitySource | null
  readonly tank: LearntTank
  readonly groupIds: readonly string[]
  readonly connection: ReferencedConnection & { readonly status: string }
  readonly connectedAt: Instant
  readonly latest: LocationRow | null
}

/** Location of a vehicle. Only the latest one has measurements. */
export interface LocationRow {
  readonly longitude: number
  readonly latitude: number
  readonly locatedAt: number
  readonly modifiedAt: number
  readonly speed: number | null
  readonly driverId: string | null
  readonly engineState: 'on' | 'off' | 'idle' | null
  readonly fuelPrimaryPercentage: number | null
  readonly fuelSecondaryPercentage: number | null
}

interface SelectedRow
  extends
    Omit<VehicleRow, 'connection' | 'latest' | 'groupIds' | 'capacitySource' | 'tank'>,
    Omit<LocationRow, 'locatedAt'> {
  readonly groupIds: string
  readonly locatedAt: number | null
  readonly connectionStatus: string
  readonly provider: string
  readonly externalId: string | null
  readonly tags: string
  readonly knownDriverId: string | null
  readonly ownFuelType: string | null
  readonly ownCapacity: number | null
  readonly overrules: number | null
  readonly fills: string | null
}

/** Reads the vehicle of a purchase with one statement. Throws if the caller has no such vehicle or driver. */
export async function readVehicle(
  db: Rows,
  caller: Tenant,
  purchase: Pick<Purchase, 'vehicleId' | 'driverId'>,
): Promise<VehicleRow> {
  const row = await findVehicle(db, caller, purchase)
  if (!row) throw new PublicError('not_found', 'There is no such vehicle.')
  if (purchase.driverId !== null && row.knownDriverId === null)
    throw new PublicError('not_found', 'There is no such driver.', {
      detail: 'The vehicle and the driver must belong to the same connection.',
    })
  return row
}

interface FoundVehicle extends VehicleRow {
  /** Id of the driver of the purchase; null if the connection of the vehicle has no such driver. */
  readonly knownDriverId: string | null
}

/** Reads a vehicle with one statement; null if the caller has none with this id. */
export async function findVehicle(
  db: Rows,
  caller: Tenant,
  { vehicleId, driverId }: Pick<Purchase, 'vehicleId' | 'driverId'>,
): Promise<FoundVehicle | null> {
  const where = and(tenantWhere(caller), equal('id', vehicleId))
  const [row] = await db.rows<SelectedRow>(
    `SELECT v.connectionId, v.status, v.deletedAt, v.fuelType, v.fuelTankCapacity, v.groupIds,
        c.status AS connectionStatus, c.provider, c.externalId, c.tags, c.timeZone, c.createdAt AS connectedAt,
        d.id AS knownDriverId,
        l.longitude, l.latitude, l.locatedAt, l.modifiedAt, l.speed, l.driverId, l.engineState,
        l.fuelPrimaryPercentage, l.fuelSecondaryPercentage,
        f.fuelType AS ownFuelType, f.fuelTankCapacity AS ownCapacity, f.overrules, t.fills
      FROM (SELECT * FROM vehicles WHERE ${where.sql}) AS v
      JOIN connections AS c ON c.id = v.connectionId AND c.applicationId = v.applicationId
      LEFT JOIN latest_vehicle_locations AS l ON l.vehicleId = v.id AND l.applicationId = v.applicationId
      LEFT JOIN vehicle_facts AS f ON f.vehicleId = v.id AND f.applicationId = v.applicationId
      LEFT JOIN vehicle_fills AS t ON t.vehicleId = v.id AND t.applicationId = v.applicationId
      LEFT JOIN drivers AS d ON d.id = ? AND d.applicationId = v.applicationId AND d.connectionId = v.connectionId`,
    [...where.parameters, driverId ?? ''],
  )
  if (!row || hasStatusFlag(row.connectionStatus, 'isDeleted')) return null
  const { connectionId, connectionStatus, provider, externalId, tags, locatedAt } = row
  return {
    ...row,
    ...effectiveFacts(row),
    groupIds: JSON.parse(row.groupIds) as string[],
    connection: {
      id: connectionId,
      status: connectionStatus,
      provider,
      externalId,
      tags: JSON.parse(tags) as string[],
    },
    latest: locatedAt === null ? null : { ...row, locatedAt },
  }
}

/** Returns the facts that apply: the application's own if they overrule those of the provider or the provider has none. */
function effectiveFacts({
  fuelType,
  fuelTankCapacity,
  ownFuelType,
  ownCapacity,
  overrules,
  fills,
}: SelectedRow): Pick<VehicleRow, 'fuelType' | 'fuelTankCapacity' | 'capacitySource' | 'tank'> {
  const isOwn = (own: unknown, given: unknown) => own !== null && (overrules === 1 || given === null)
  // A provider that reports a capacity of 0 knows none.
  const given = fuelTankCapacity || null
  const isOwnCapacity = isOwn(ownCapacity, given)
  const known = isOwnCapacity ? ownCapacity : given
  const tank = tankOf(fills === null ? [] : (JSON.parse(fills) as ObservedFill[]))
  const learnt = tank.capacity?.mostLiters ?? null
  const sourceOfKnown = isOwnCapacity ? CapacitySource.OWN : CapacitySource.PROVIDER
  return {
    fuelType: isOwn(ownFuelType, fuelType) ? ownFuelType : fuelType,
    fuelTankCapacity: known ?? learnt,
    capacitySource: known !== null ? sourceOfKnown : learnt === null ? null : CapacitySource.LEARNT,
    tank,
  }
}
