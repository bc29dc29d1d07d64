import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import { CapacitySource } from '../evidence/capacity-source.ts'
import { tankOf } from '../evidence/learnt-tank.ts'
import { hasSecondTank, vehicleFacts } from '../evidence/read-facts.ts'
import { type ReceivedBy, recentDelays } from '../evidence/series-points.ts'
import { findVehicle, type VehicleRow } from '../evidence/vehicle-row.ts'
import { readEffectivePolicy, withSettings } from '../policy/effective-policy.ts'
import { type PurchasePolicy, RuleAction } from '../policy/policy.ts'
import { targetsOf } from '../policy/policy-target.ts'
import type { SettingsByRule } from '../policy/purchase-policy.ts'
import type { VehicleFacts } from '../rules/purchase-facts.ts'

/** Vehicle as a replay sees it, at any time. */
export interface PastVehicle {
  readonly connectionId: Id<'connection'>
  readonly facts: VehicleFacts
  /** The series has the level of the first tank only. */
  readonly hasSecondTank: boolean
  /** Policy that applies now. */
  readonly current: PurchasePolicy
  /** Policy with the settings of the replay. */
  readonly tried: PurchasePolicy
  /** How it is known what had been received. */
  readonly receipts: Omit<ReceivedBy, 'at'>
}

interface PastVehicleSource {
  readonly db: Pick<Database, 'rows' | 'dialect'>
  readonly tenant: Tenant
  readonly settings: SettingsByRule
  /** Time whose policies apply. */
  readonly now: Instant
}

/** Whether a vehicle was active and connected at a time is not stored. */
const WITHOUT_STATUS: SettingsByRule = { connected: { action: RuleAction.OFF, limits: {} } }

/** Reads the vehicles of a replay, each once. */
export class PastVehicles {
  private readonly vehicles = new Map<string, Promise<PastVehicle | null>>()
  private readonly source: PastVehicleSource

  constructor(source: PastVehicleSource) {
    this.source = source
  }

  /** Returns a vehicle; null if the tenant has none with this id. */
  find(vehicleId: string): Promise<PastVehicle | null> {
    const known = this.vehicles.get(vehicleId) ?? this.read(vehicleId)
    this.vehicles.set(vehicleId, known)
    return known
  }

  private async read(vehicleId: string): Promise<PastVehicle | null> {
    const { db, tenant, settings, now } = this.source
    const row = await findVehicle(db, tenant, { vehicleId, driverId: null })
    if (!row) return null
    const [policy, delays] = await Promise.all([
      readEffectivePolicy(db, tenant, targetsOf({ vehicleId, ...row }), now),
      recentDelays(db, tenant, vehicleId, { from: row.connectedAt, receivedBy: now }),
    ])
    return {
      connectionId: row.connectionId,
      facts: vehicleFacts(withoutFills(row)),
      hasSecondTank: hasSecondTank(row.latest),
      current: withSettings(policy, WITHOUT_STATUS),
      tried: withSettings(withSettings(policy, settings), WITHOUT_STATUS),
      receipts: { connectedAt: row.connectedAt, delayMs: usualDelay(delays) },
    }
  }
}

/** Returns a vehicle without what its fills show: later ones would help an earlier purchase. */
const withoutFills = (row: VehicleRow): VehicleRow => ({
  ...row,
  tank: tankOf([]),
  ...(row.capacitySource === CapacitySource.LEARNT ? { fuelTankCapacity: null, capacitySource: null } : {}),
})

/** Delay of a vehicle without enough points. */
const DEFAULT_DELAY_MS = 5 * 60_000
const MIN_DELAYS = 10
/** Share of the points that were received within the usual delay. */
const USUAL_SHARE = 0.9

/** Returns the delay that most points have. */
function usualDelay(delays: readonly number[]): number {
  if (delays.length < MIN_DELAYS) return DEFAULT_DELAY_MS
  const sorted = delays.toSorted((one, other) => one - other)
  return Math.max(0, sorted[Math.floor(USUAL_SHARE * (sorted.length - 1))]!)
}
