import type { Driver, Group, Ms, SafetyEvent, Trailer, Trip, Vehicle, World } from '../world/truth.ts'
import { Zone } from './zone.ts'

interface RosterMember {
  readonly number: number
  readonly createdAt: Ms
  readonly removedAt: Ms | null
}

const METRIC_VEHICLES = 4
const METRIC_DRIVERS = 3

/** Some vehicles and drivers of a company use metric units. */
export const isMetricVehicle = (vehicle: number): boolean => vehicle % METRIC_VEHICLES === 0
export const isMetricDriver = (driver: number): boolean => driver % METRIC_DRIVERS === 0

/** A company at Motive, with the current state of its fleet. */
export class Company {
  private cache = new Map<string, unknown>()
  private cachedAt: Ms = Number.NaN
  private readonly zones = new Map<string, Zone>()

  constructor(readonly world: World) {}

  get now(): Ms {
    return this.world.now
  }

  get id(): number {
    return this.world.account.number
  }

  /** Time zone of rollups. The zone of the request does not change it. */
  get zone(): Zone {
    return this.zoneNamed(this.world.account.timeZone)
  }

  zoneNamed(name: string): Zone {
    const zone = this.zones.get(name) ?? new Zone(name, this.world.startsAt)
    this.zones.set(name, zone)
    return zone
  }

  vehicles(): readonly Vehicle[] {
    return this.cached('vehicles', () => this.existing(this.world.vehicles()))
  }

  drivers(): readonly Driver[] {
    return this.cached('drivers', () => this.existing(this.world.drivers()))
  }

  groups(): readonly Group[] {
    return this.cached('groups', () => this.existing(this.world.groups()))
  }

  trailers(): readonly Trailer[] {
    return this.cached('trailers', () => this.existing(this.world.trailers()))
  }

  vehicle(number: number): Vehicle | undefined {
    return this.cached('vehicle by number', () => byNumber(this.vehicles())).get(number)
  }

  /** Returns a vehicle, also a removed one: logs of past days still name it. */
  anyVehicle(number: number): Vehicle | undefined {
    return this.cached('any vehicle by number', () => byNumber(this.world.vehicles())).get(number)
  }

  /** Returns a driver, also a removed one: past events still name it. */
  driver(number: number | null): Driver | undefined {
    if (number === null) return undefined
    return this.cached('driver by number', () => byNumber(this.world.drivers())).get(number)
  }

  /** Returns all arrived trips of a vehicle. */
  tripsOf(vehicle: number): readonly Trip[] {
    return this.cached(`trips ${vehicle}`, () => this.world.trips(vehicle, this.world.startsAt, this.now + 1))
  }

  trips(): readonly Trip[] {
    return this.cached('trips', () => this.vehicles().flatMap(({ number }) => this.tripsOf(number)))
  }

  safetyEvents(): readonly SafetyEvent[] {
    return this.cached('safety events', () =>
      this.vehicles().flatMap(({ number }) =>
        this.world.safetyEvents(number, this.world.startsAt, this.now + 1),
      ),
    )
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
    const { now } = this
    return members
      .filter(({ createdAt, removedAt }) => createdAt <= now && (removedAt === null || removedAt > now))
      .toSorted((one, other) => one.number - other.number)
  }
}

const byNumber = <Member extends RosterMember>(members: readonly Member[]): ReadonlyMap<number, Member> =>
  new Map(members.map((member) => [member.number, member]))
