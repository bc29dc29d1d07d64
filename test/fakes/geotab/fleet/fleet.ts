import { type Point, PointIndex } from '../stores/point-index.ts'
import type { Switches } from '../switches.ts'
import type { Driver, Ms, Vehicle, World } from '../../world/truth.ts'
import { deviceId, userId } from '../formats.ts'
import { type Leg, legsOf } from './fuel-tax-legs.ts'
import { pointsOf } from './places.ts'
import { CachedWorld } from './cached-world.ts'

/** Fleet of a database, as the provider knows it at the current time. */
export class Fleet {
  readonly points = new PointIndex((vehicle, from, to) => pointsOf(this, vehicle, from, to))

  private knownLegs: { readonly world: World; readonly legs: readonly Leg[] } | null = null
  private readonly cachedWorld = new CachedWorld()
  private readonly fuels = new Map<number, Vehicle['fuel']>()

  constructor(
    readonly database: string,
    private readonly worldNow: () => World,
    readonly switches: Readonly<Switches>,
  ) {}

  get world(): World {
    return this.cachedWorld.of(this.worldNow())
  }

  get timeZone(): string {
    return this.world.account.timeZone
  }

  /** Includes removed vehicles if the database keeps them. */
  vehicles(): readonly Vehicle[] {
    return this.world.vehicles().filter((vehicle) => this.isKept(vehicle))
  }

  drivers(): readonly Driver[] {
    return this.world.drivers().filter((driver) => this.isKept(driver))
  }

  isKept({ removedAt }: { readonly removedAt: Ms | null }): boolean {
    return removedAt === null || this.switches.removal === 'archived'
  }

  /** Returns all vehicles, also removed ones: their data remains. */
  vehicleNumbers(): number[] {
    return this.world.vehicles().map(({ number }) => number)
  }

  pointsOf(vehicle: number, from: Ms, to: Ms): Point[] {
    return pointsOf(this, vehicle, from, to)
  }

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

  /** Returns a reference to a system object, such as the one for an unknown driver. */
  sentinel(id: string): unknown {
    return this.switches.references === 'mixed' ? id : { id }
  }
}

export const deviceReference = (vehicle: number) => ({ id: deviceId(vehicle) })
