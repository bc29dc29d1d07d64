import { newId } from '../../../src/domain/ids.ts'
import type { Instant } from '../../../src/domain/time.ts'
import { idOf } from '../../../src/providers/sandbox/simulator/records/ids.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import { driverOf } from '../../../src/providers/sandbox/simulator/world/fleet.ts'
import { legAt, legNumberAt } from '../../../src/providers/sandbox/simulator/world/vehicle-route.ts'
import type { Database, Transaction } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Driver } from '../../../src/subgraphs/fleet/driver.ts'
import { FuelType, Vehicle } from '../../../src/subgraphs/fleet/vehicle.ts'
import type { EngineState } from '../../../src/subgraphs/schema/enums/engine-state.ts'
import { LatestVehicleLocation, VehicleLocation } from '../../../src/subgraphs/telemetry/location.ts'
import { VehicleStatLog } from '../../../src/subgraphs/telemetry/stat-log.ts'
import { driverRow, latestLocationRow, locationRow, type Owner, vehicleRow } from '../../support/factories.ts'
import { statRow } from '../../support/rows/record-rows.ts'
import type { Sample, SimulatedVehicle } from './simulated-vehicle.ts'

/** Time between a position and the purchase that it decides on. Live positions are read once a minute. */
const LIVE_DELAY_MS = 45_000
/** Longer than the time between a purchase and its capture or its reconciliation. */
const KEPT_MS = 7 * DAY_MS

/** Vehicle in the database, with what its tracker has sent. */
export class StoredVehicle {
  readonly id: string
  private readonly drivers: ReadonlyMap<string, string>
  private readonly db: Database
  private readonly owner: Owner
  private readonly simulated: SimulatedVehicle
  private nextLegNumber: number
  /** Samples that the service has not received. */
  private readonly waiting: Sample[] = []
  private latest: Sample | null = null
  private latestPercent: number | null = null
  private forgottenUntil: Instant = 0

  private constructor(db: Database, owner: Owner, simulated: SimulatedVehicle, from: Instant) {
    const { fleet, vehicle } = simulated.route
    this.db = db
    this.owner = owner
    this.simulated = simulated
    this.id = newId('vehicle')
    const sourceIds = ([0, 1] as const).map((shift) => idOf('drv', fleet, driverOf(fleet, vehicle, shift)))
    this.drivers = new Map(sourceIds.map((sourceId) => [sourceId, newId('driver')]))
    this.nextLegNumber = Math.max(0, legNumberAt(simulated.route, from) - 1)
  }

  /** Stores a vehicle with its drivers. */
  static async store(
    db: Database,
    owner: Owner,
    simulated: SimulatedVehicle,
    from: Instant,
  ): Promise<StoredVehicle> {
    const stored = new StoredVehicle(db, owner, simulated, from)
    const vehicle = vehicleRow(owner, {
      id: stored.id as Vehicle['id'],
      sourceId: stored.id,
      fuelType: simulated.model.fuelType === 'gasoline' ? FuelType.GASOLINE : FuelType.DIESEL,
      fuelTankCapacity: simulated.listedLiters,
    })
    const drivers = [...stored.drivers.values()].map((id) =>
      driverRow(owner, { id: id as Driver['id'], sourceId: id }),
    )
    await db.transaction(async (tx) => {
      await tx.insert(tableOf(Vehicle), [vehicle])
      await tx.insert(tableOf(Driver), drivers)
    })
    return stored
  }

  /** Returns the driver who works at a time. */
  driverAt(at: Instant): string | null {
    return this.drivers.get(this.simulated.driverIdAt(at)) ?? null
  }

  /** Stores what the tracker has sent until a time, and deletes what no rule reads any more. */
  async receiveUntil(now: Instant): Promise<void> {
    while (legAt(this.simulated.route, this.nextLegNumber).startMs - 5 * MINUTE_MS <= now)
      this.waiting.push(...this.simulated.samplesOf(legAt(this.simulated.route, this.nextLegNumber++)))
    const received = this.waiting.filter(({ receivedAt }) => receivedAt <= now)
    const rest = this.waiting.filter(({ receivedAt }) => receivedAt > now)
    this.waiting.splice(0, this.waiting.length, ...rest)
    const live = this.simulated.liveSampleAt(now - LIVE_DELAY_MS)
    for (const sample of [...received, ...(live ? [live] : [])]) this.keepLatest(sample)
    await this.db.inBackground().transaction(async (tx) => {
      await tx.insert(
        tableOf(VehicleLocation),
        received.map((sample) => this.locationOf(sample)),
      )
      await tx.insert(
        tableOf(VehicleStatLog),
        received.flatMap((sample) => this.statsOf(sample)),
      )
      await this.forget(tx, now - KEPT_MS)
      if (!this.latest) return
      await tx.run('DELETE FROM `latest_vehicle_locations` WHERE `vehicleId` = ?', [this.id])
      await tx.insert(tableOf(LatestVehicleLocation), [this.latestOf(this.latest)])
    })
  }

  private async forget(tx: Transaction, before: Instant): Promise<void> {
    if (before < this.forgottenUntil + DAY_MS) return
    this.forgottenUntil = before
    await tx.run('DELETE FROM `vehicle_locations` WHERE `vehicleId` = ? AND `locatedAt` < ?', [
      this.id,
      before,
    ])
    await tx.run(
      "DELETE FROM `vehicle_stat_logs` WHERE `vehicleId` = ? AND `type` IN ('fuel_level', 'engine_runtime') AND `timestamp` < ?",
      [this.id, before],
    )
  }

  private keepLatest(sample: Sample): void {
    if (this.latest && sample.at <= this.latest.at) return
    this.latest = sample
    // Providers repeat the last level with each position. A tracker measures while the engine runs.
    const isMeasured = sample.engineState !== 'off' || this.simulated.sendsWhileOff === 'levels'
    if (isMeasured && sample.percent !== null) this.latestPercent = sample.percent
  }

  private driverOf = ({ position }: Sample): string | null =>
    position.driverId && (this.drivers.get(position.driverId) ?? null)

  private locationOf(sample: Sample): VehicleLocation {
    const { longitude, latitude, speedKmh } = sample.position
    const { at: locatedAt, receivedAt: modifiedAt } = sample
    const driverId = this.driverOf(sample)
    return locationRow(this.owner, {
      vehicleId: this.id,
      longitude,
      latitude,
      speed: speedKmh,
      driverId,
      locatedAt,
      modifiedAt,
    })
  }

  private statsOf({ percent, runtimeMs, at: timestamp, receivedAt: modifiedAt }: Sample): VehicleStatLog[] {
    const values = { fuel_level: percent, engine_runtime: runtimeMs }
    return (['fuel_level', 'engine_runtime'] as const)
      .filter((type) => values[type] !== null)
      .map((type) =>
        statRow(this.owner, { vehicleId: this.id, type, value: values[type], timestamp, modifiedAt }),
      )
  }

  private latestOf(sample: Sample): LatestVehicleLocation {
    const { longitude, latitude, speedKmh } = sample.position
    return latestLocationRow(this.owner, {
      vehicleId: this.id,
      longitude,
      latitude,
      speed: speedKmh,
      driverId: this.driverOf(sample),
      engineState: sample.engineState as EngineState,
      fuelPrimaryPercentage: this.latestPercent,
      locatedAt: sample.at,
      modifiedAt: sample.receivedAt,
    })
  }
}
