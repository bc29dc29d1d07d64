import type { Driver, Group, Ms, SafetyEvent, Trailer, Trip, Vehicle, World } from '../world/truth.ts'
import { numberOf } from './ids.ts'

interface Mortal {
  readonly number: number
  readonly createdAt: Ms
  readonly removedAt: Ms | null
}

/** An organization at Samsara: the current state of one world, with cached values. */
export class Organization {
  private remembered = new Map<string, unknown>()
  private rememberedAt: Ms = NaN

  constructor(readonly world: World) {}

  get now(): Ms {
    return this.world.now
  }

  vehicles(): readonly Vehicle[] {
    return this.present(this.world.vehicles())
  }

  drivers(): readonly Driver[] {
    return this.present(this.world.drivers())
  }

  groups(): readonly Group[] {
    return this.present(this.world.groups())
  }

  trailers(): readonly Trailer[] {
    return this.present(this.world.trailers())
  }

  /** Returns the vehicles of the given ids, or all without ids. Ignores unknown ids. */
  vehiclesOf(ids: readonly string[]): readonly Vehicle[] {
    if (ids.length === 0) return this.vehicles()
    const numbers = new Set(ids.map((id) => numberOf('vehicle', id)))
    return this.vehicles().filter(({ number }) => numbers.has(number))
  }

  driversOf(ids: readonly string[]): readonly Driver[] {
    if (ids.length === 0) return this.drivers()
    const numbers = new Set(ids.map((id) => numberOf('driver', id)))
    return this.drivers().filter(({ number }) => numbers.has(number))
  }

  driver(number: number): Driver | undefined {
    return this.once('drivers', () => new Map(this.drivers().map((driver) => [driver.number, driver]))).get(
      number,
    )
  }

  vehicle(number: number): Vehicle | undefined {
    const all = this.once('vehicles', () => new Map(this.vehicles().map((one) => [one.number, one])))
    return all.get(number)
  }

  group(number: number): Group | undefined {
    return this.once('groups', () => new Map(this.groups().map((one) => [one.number, one]))).get(number)
  }

  /** Returns all arrived trips of a vehicle. */
  tripsOf(vehicle: number): readonly Trip[] {
    return this.once(`trips ${vehicle}`, () => this.world.trips(vehicle, this.world.startsAt, this.now + 1))
  }

  safetyEventsOf(vehicle: number): readonly SafetyEvent[] {
    return this.once(`safety ${vehicle}`, () =>
      this.world.safetyEvents(vehicle, this.world.startsAt, this.now + 1),
    )
  }

  /** Returns the trips of each driver, in existing and former vehicles. */
  tripsByDriver(): ReadonlyMap<number, readonly Trip[]> {
    return this.once('trips by driver', () => {
      const trips = new Map<number, Trip[]>()
      for (const trip of this.world.vehicles().flatMap(({ number }) => this.tripsOf(number))) {
        if (trip.driver === null) continue
        const others = trips.get(trip.driver)
        if (others) others.push(trip)
        else trips.set(trip.driver, [trip])
      }
      return trips
    })
  }

  /** Caches a value until the clock moves. */
  once<Made>(name: string, make: () => Made): Made {
    if (this.rememberedAt !== this.now) {
      this.remembered = new Map()
      this.rememberedAt = this.now
    }
    if (!this.remembered.has(name)) this.remembered.set(name, make())
    return this.remembered.get(name) as Made
  }

  private present<Member extends Mortal>(members: readonly Member[]): readonly Member[] {
    return members
      .filter(
        ({ createdAt, removedAt }) => createdAt <= this.now && (removedAt === null || removedAt > this.now),
      )
      .toSorted((one, other) => one.number - other.number)
  }
}
