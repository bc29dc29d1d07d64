import { type Point, PointBook } from '../ledger/points.ts'
import type { Switches } from '../switches.ts'
import type { Driver, Ms, Vehicle, World } from '../../world/truth.ts'
import { deviceId, userId } from '../formats.ts'
import { type Leg, legsOf } from './fuel-tax-legs.ts'
import { pointsOf } from './places.ts'
import { Recalled } from './recalled.ts'

/** One database: the fleet as the provider knows it at the time of the world. */
export class Fleet {
  readonly book = new PointBook((vehicle, from, to) => pointsOf(this, vehicle, from, to))

  private knownLegs: { readonly world: World; readonly legs: readonly Leg[] } | null = null
  private readonly recalled = new Recalled()
  private readonly fuels = new Map<number, Vehicle['fuel']>()

  constructor(
    readonly database: string,
    private readonly worldNow: () => World,
    readonly switches: Readonly<Switches>,
  ) {}

  get world(): World {
    return this.recalled.of(this.worldNow())
  }

  get timeZone(): string {
    return this.world.account.timeZone
  }

  /** Includes removed vehicles, unless the database drops them. */
  vehicles(): readonly Vehicle[] {
    return this.world.vehicles().filter((vehicle) => this.isKept(vehicle))
  }

  drivers(): readonly Driver[] {
    return this.world.drivers().filter((driver) => this.isKept(driver))
  }

  isKept({ removedAt }: { readonly removedAt: Ms | null }): boolean {
    return removedAt === null || this.switches.removal === 'archived'
  }

  /** Returns the vehicles with data: it remains after a device is removed. */
  vehicleNumbers(): number[] {
    return this.world.vehicles().map(({ number }) => number)
  }

  /** Returns the points of a vehicle, from the first time to before the last. */
  pointsOf(vehicle: number, from: Ms, to: Ms): Point[] {
    return pointsOf(this, vehicle, from, to)
  }

  /** Returns the legs of fuel tax reports. */
  legs(): readonly Leg[] {
    const { world } = this
    if (this.knownLegs?.world !== world) this.knownLegs = { world, legs: legsOf(world) }
    return this.knownLegs.legs
  }

  /** The fuel type of a vehicle never changes. */
  fuelOf(vehicle: number): Vehicle['fuel'] {
    if (!this.fuels.has(vehicle))
      for (const { number, fuel } of this.world.vehicles()) this.fuels.set(number, fuel)
    return this.fuels.get(vehicle) as Vehicle['fuel']
  }

  vehicleOf(id: string): number | null {
    const number = Number.parseInt(id.slice(1), 16)
    return deviceId(number) === id && this.vehicleNumbers().includes(number) ? number : null
  }

  driverReference(driver: number | null): unknown {
    if (driver !== null) return { id: userId(driver), isDriver: true }
    return this.sentinel('UnknownDriverId')
  }

  /** Returns a reference to a system object, or to nothing. */
  sentinel(id: string): unknown {
    return this.switches.references === 'mixed' ? id : { id }
  }
}

export const deviceReference = (vehicle: number) => ({ id: deviceId(vehicle) })
