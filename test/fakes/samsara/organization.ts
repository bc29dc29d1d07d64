import type { Driver, Group, Ms, SafetyEvent, Trailer, Trip, Vehicle, World } from '../world/truth.ts'
import type { Switches } from './behaviours.ts'
import { numberOf } from './ids.ts'

interface RosterMember {
  readonly number: number
  readonly createdAt: Ms
  readonly removedAt: Ms | null
}

/** An organization at Samsara, with the current state of its fleet. */
export class Organization {
  private cache = new Map<string, unknown>()
  private cachedAt: Ms = NaN

  constructor(
    readonly world: World,
    private readonly switches: Pick<Switches, 'deletedTrips'>,
  ) {}

  get now(): Ms {
    return this.world.now
  }

  vehicles(): readonly Vehicle[] {
    return this.existing(this.world.vehicles())
  }

  drivers(): readonly Driver[] {
    return this.existing(this.world.drivers())
  }

  groups(): readonly Group[] {
    return this.existing(this.world.groups())
  }

  trailers(): readonly Trailer[] {
    return this.existing(this.world.trailers())
  }

  /** Returns the vehicles with these ids; all vehicles without ids. Unknown ids are ignored. */
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
    return this.cached('drivers', () => new Map(this.drivers().map((driver) => [driver.number, driver]))).get(
      number,
    )
  }

  vehicle(number: number): Vehicle | undefined {
    const all = this.cached('vehicles', () => new Map(this.vehicles().map((one) => [one.number, one])))
    return all.get(number)
  }

  group(number: number): Group | undefined {
    return this.cached('groups', () => new Map(this.groups().map((one) => [one.number, one]))).get(number)
  }

  /** Returns all arrived trips of a vehicle, except deleted ones. */
  tripsOf(vehicle: number): readonly Trip[] {
    const isDeleted = ({ number }: Trip) => this.switches.deletedTrips === 'some' && number % 5 === 1
    return this.cached(`trips ${vehicle}`, () =>
      this.world.trips(vehicle, this.world.startsAt, this.now + 1).filter((trip) => !isDeleted(trip)),
    )
  }

  safetyEventsOf(vehicle: number): readonly SafetyEvent[] {
    return this.cached(`safety ${vehicle}`, () =>
      this.world.safetyEvents(vehicle, this.world.startsAt, this.now + 1),
    )
  }

  /** Returns the trips of each driver, also those in removed vehicles. */
  tripsByDriver(): ReadonlyMap<number, readonly Trip[]> {
    return this.cached('trips by driver', () => {
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
  cached<Made>(name: string, make: () => Made): Made {
    if (this.cachedAt !== this.now) {
      this.cache = new Map()
      this.cachedAt = this.now
    }
    if (!this.cache.has(name)) this.cache.set(name, make())
    return this.cache.get(name) as Made
  }

  private existing<Member extends RosterMember>(members: readonly Member[]): readonly Member[] {
    return members
      .filter(
        ({ createdAt, removedAt }) => createdAt <= this.now && (removedAt === null || removedAt > this.now),
      )
      .toSorted((one, other) => one.number - other.number)
  }
}
