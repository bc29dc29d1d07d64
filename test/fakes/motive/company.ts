import type { Driver, Group, Ms, SafetyEvent, Trailer, Trip, Vehicle, World } from '../world/truth.ts'
import { Zone } from './zone.ts'

interface Mortal {
  readonly number: number
  readonly createdAt: Ms
  readonly removedAt: Ms | null
}

const METRIC_VEHICLES = 4
const METRIC_DRIVERS = 3

/** A few vehicles and drivers of a company use metric units. */
export const isMetricVehicle = (vehicle: number): boolean => vehicle % METRIC_VEHICLES === 0
export const isMetricDriver = (driver: number): boolean => driver % METRIC_DRIVERS === 0

/** A company at Motive: the current state of one world. */
export class Company {
  private remembered = new Map<string, unknown>()
  private rememberedAt: Ms = Number.NaN
  private readonly zones = new Map<string, Zone>()

  constructor(readonly world: World) {}

  get now(): Ms {
    return this.world.now
  }

  get id(): number {
    return this.world.account.number
  }

  /** Time zone of rollups, whatever the request asks for. */
  get zone(): Zone {
    return this.zoneNamed(this.world.account.timeZone)
  }

  zoneNamed(name: string): Zone {
    const zone = this.zones.get(name) ?? new Zone(name, this.world.startsAt)
    this.zones.set(name, zone)
    return zone
  }

  vehicles(): readonly Vehicle[] {
    return this.once('vehicles', () => this.present(this.world.vehicles()))
  }

  drivers(): readonly Driver[] {
    return this.once('drivers', () => this.present(this.world.drivers()))
  }

  groups(): readonly Group[] {
    return this.once('groups', () => this.present(this.world.groups()))
  }

  trailers(): readonly Trailer[] {
    return this.once('trailers', () => this.present(this.world.trailers()))
  }

  vehicle(number: number): Vehicle | undefined {
    return this.once('vehicle by number', () => byNumber(this.vehicles())).get(number)
  }

  /** Returns an existing or former vehicle: the log of a day still names it. */
  anyVehicle(number: number): Vehicle | undefined {
    return this.once('any vehicle by number', () => byNumber(this.world.vehicles())).get(number)
  }

  /** Returns an existing or former driver: past events still name one who left. */
  driver(number: number | null): Driver | undefined {
    if (number === null) return undefined
    return this.once('driver by number', () => byNumber(this.world.drivers())).get(number)
  }

  /** Returns all arrived trips of a vehicle. */
  tripsOf(vehicle: number): readonly Trip[] {
    return this.once(`trips ${vehicle}`, () => this.world.trips(vehicle, this.world.startsAt, this.now + 1))
  }

  trips(): readonly Trip[] {
    return this.once('trips', () => this.vehicles().flatMap(({ number }) => this.tripsOf(number)))
  }

  safetyEvents(): readonly SafetyEvent[] {
    return this.once('safety events', () =>
      this.vehicles().flatMap(({ number }) =>
        this.world.safetyEvents(number, this.world.startsAt, this.now + 1),
      ),
    )
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
    const { now } = this
    return members
      .filter(({ createdAt, removedAt }) => createdAt <= now && (removedAt === null || removedAt > now))
      .toSorted((one, other) => one.number - other.number)
  }
}

const byNumber = <Member extends Mortal>(members: readonly Member[]): ReadonlyMap<number, Member> =>
  new Map(members.map((member) => [member.number, member]))
