import { idOf } from '../records/ids.ts'
import { vehicleModelOf } from '../records/vehicles.ts'
import type { VehicleModel } from '../world/catalogue.ts'
import { fuelPercentAt, REFILL_AFTER_MS } from '../world/engine.ts'
import { driverOf, type Fleet, vehicleIsSilent } from '../world/fleet.ts'
import { motionAt, positionAfter } from '../world/motion.ts'
import type { Point } from '../world/road-network/geometry.ts'
import { uploadedMs } from '../world/upload-delays.ts'
import {
  legAt,
  legNumberAt,
  type TimedLeg,
  type VehicleRoute,
  vehicleRouteOf,
} from '../world/vehicle-route.ts'

const LITERS_PER_US_GALLON = 3.785411784

/** Fuel that someone took out of the tank. */
interface Siphoning {
  readonly at: number
  /** The next refill. */
  readonly until: number
  readonly percent: number
}

/** A vehicle of the simulated world and its tank. */
export class FueledVehicle {
  readonly route: VehicleRoute
  readonly model: VehicleModel
  /** 0 for an electric vehicle. */
  readonly capacityLiters: number
  readonly siphonings: Siphoning[] = []

  constructor(fleet: Fleet, vehicle: number) {
    this.route = vehicleRouteOf(fleet, vehicle)
    this.model = vehicleModelOf(fleet, vehicle)
    this.capacityLiters = (this.model.fuelTankGallons ?? 0) * LITERS_PER_US_GALLON
  }

  get id(): string {
    return idOf('veh', this.route.fleet, this.route.vehicle)
  }

  /** Whether the level and the capacity that the vehicle reports can show fuel that is missing. */
  get hasReliableLevel(): boolean {
    return true
  }

  get sendsLevelWhileOff(): boolean {
    return false
  }

  /** Whether the vehicle burns fuel and reports. */
  get isTracked(): boolean {
    return this.capacityLiters > 0 && !vehicleIsSilent(this.route.vehicle)
  }

  /** Returns the level of the tank in percent. */
  levelAt(at: number): number {
    const level = fuelPercentAt(this.route, this.model, motionAt(this.route, at), at)
    const lost = this.siphonings.filter(({ at: from, until }) => from <= at && at < until)
    return lost.reduce((rest, { percent }) => rest - percent, level)
  }

  /** Returns the liters that the tank takes in the stop after a leg; 0 if it is not filled then. */
  refillAfter(leg: TimedLeg): number {
    const refilledAt = this.refilledAt(leg)
    const [before, after] = [refilledAt - 1, refilledAt].map((at) => this.levelAt(at))
    return Math.max(0, ((after! - before!) / 100) * this.capacityLiters)
  }

  /** Returns the time at which fuel flows in the stop after a leg. */
  refilledAt({ endMs }: TimedLeg): number {
    return endMs + REFILL_AFTER_MS
  }

  /** Returns the first leg that begins after a time. */
  legAfter(at: number): TimedLeg {
    return legAt(this.route, legNumberAt(this.route, at) + 1)
  }

  nextLeg({ number }: TimedLeg): TimedLeg {
    return legAt(this.route, number + 1)
  }

  pointAt(at: number): Point {
    return positionAfter(this.route, motionAt(this.route, at).miles)
  }

  /** Returns the id of the driver who works at a time. */
  driverIdAt(at: number): string {
    const { fleet, vehicle } = this.route
    return idOf('drv', fleet, driverOf(fleet, vehicle, this.lastLegAt(at).leg.shift))
  }

  /** Whether the tracker has a connection at a time. */
  isOnlineAt(at: number): boolean {
    return at >= uploadedMs(this.route, this.lastLegAt(at))
  }

  private lastLegAt(at: number): TimedLeg {
    return legAt(this.route, Math.max(0, legNumberAt(this.route, at)))
  }
}
