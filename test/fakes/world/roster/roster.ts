import { DAY } from '../calendar.ts'
import { drawPurpose, drawsOf } from '../draws.ts'
import { type Lifetime, lifetimeOf, type Rates } from '../lifetimes.ts'
import type { Seeded } from '../options.ts'
import type { Ms } from '../truth.ts'

/** The codriver of driver 20 has the number 900,020. */
const CODRIVERS_FROM = 900_000
const VEHICLES_PER_TEAM = 20
const VEHICLES_PER_TRAILER = 5
/** Size of a fleet that gets one new vehicle a day. */
const VEHICLES_PER_ADDITION = 500

const vehicleRates: Rates = { removal: 500, activityChange: 300, edit: 150 }
const driverRates: Rates = { removal: 1000, activityChange: 300, edit: 250 }

/** Vehicles, drivers and trailers by number. Vehicle 7 is usually driven by driver 7. */
export class Roster {
  private readonly vehicleLives = new Map<number, Lifetime>()
  private readonly driverLives = new Map<number, Lifetime>()

  constructor(private readonly seeded: Seeded) {}

  vehicleLife(vehicle: number): Lifetime {
    return this.cachedLifetime(this.vehicleLives, vehicle, drawPurpose.vehicleChange, vehicleRates, vehicle)
  }

  driverLife(driver: number): Lifetime {
    const vehicle = driver > CODRIVERS_FROM ? driver - CODRIVERS_FROM : driver
    return this.cachedLifetime(this.driverLives, driver, drawPurpose.driverChange, driverRates, vehicle)
  }

  vehiclesAddedBy(at: Ms): number[] {
    const numbers: number[] = []
    for (let vehicle = 1; this.addedAt(vehicle) <= at; vehicle++) numbers.push(vehicle)
    return numbers
  }

  driversAddedBy(at: Ms): number[] {
    const vehicles = this.vehiclesAddedBy(at)
    return [...vehicles, ...vehicles.flatMap((vehicle) => this.codriverOf(vehicle) ?? [])]
  }

  trailersAddedBy(at: Ms): number[] {
    return this.vehiclesAddedBy(at)
      .filter((vehicle) => vehicle % VEHICLES_PER_TRAILER === 1)
      .map((_, index) => index + 1)
  }

  towingVehicleOf(trailer: number): number {
    return (trailer - 1) * VEHICLES_PER_TRAILER + 1
  }

  codriverOf(vehicle: number): number | null {
    return vehicle % VEHICLES_PER_TEAM === 0 ? CODRIVERS_FROM + vehicle : null
  }

  /** Returns the main driver of a codriver; null for a main driver. */
  mainDriverOf(driver: number): number | null {
    return driver > CODRIVERS_FROM ? driver - CODRIVERS_FROM : null
  }

  /** Returns the driver of a vehicle on a day, or the vehicle of a driver. On some days, neighbours swap vehicles. */
  partnerOn(number: number, day: number): number {
    const pair = (number - 1) >> 1
    const partner = ((number - 1) ^ 1) + 1
    const draw = drawsOf(this.seeded.seed, drawPurpose.swap, pair, day)
    return draw() < 0.08 && pair * 2 + 2 <= this.seeded.vehicles ? partner : number
  }

  private addedAt(vehicle: number): Ms {
    const { vehicles, startsAt, options } = this.seeded
    const later = vehicle - vehicles
    if (later <= 0) return startsAt
    const every = (VEHICLES_PER_ADDITION * DAY) / (vehicles * options.restlessness)
    return Math.floor((startsAt + later * every) / 1000) * 1000
  }

  private cachedLifetime(
    lives: Map<number, Lifetime>,
    number: number,
    purpose: number,
    rates: Rates,
    vehicle: number,
  ): Lifetime {
    const known = lives.get(number)
    if (known) return known
    const draw = drawsOf(this.seeded.seed, purpose, number)
    const life = lifetimeOf(draw, this.addedAt(vehicle), rates, this.seeded)
    lives.set(number, life)
    return life
  }
}
