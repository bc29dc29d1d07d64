import { about, drawsOf, oneOf, wholeBetween } from '../draws.ts'
import { editsBy, isActive, memberAt } from '../lifetimes.ts'
import { groupCount } from './groups.ts'
import { electricVans, states, trucks, vans } from './names.ts'
import type { Seeded } from '../options.ts'
import { plateOf, vinOf } from './plates.ts'
import type { Roster } from './roster.ts'
import type { Ms, Vehicle } from '../truth.ts'

/** Fixed properties of a vehicle, which determine how it drives. */
export interface Build {
  readonly fuel: Vehicle['fuel']
  readonly tankLiters: number
  readonly litersPerMeter: number
  readonly idleLitersPerMillisecond: number
  /** Share of the tank or battery per meter. */
  readonly fuelPerMeter: number
  readonly fuelPerIdleMillisecond: number
  readonly isTruck: boolean
}

const truck: Build = buildOf('diesel', 900, 0.34 / 1000, 3)
const van: Build = buildOf('gasoline', 95, 0.14 / 1000, 1.5)
const electric: Build = {
  ...buildOf('electric', 1, 1 / 450_000, 0.01),
  tankLiters: 0,
  litersPerMeter: 0,
  idleLitersPerMillisecond: 0,
}

function buildOf(
  fuel: Vehicle['fuel'],
  tankLiters: number,
  litersPerMeter: number,
  idleLitersPerHour: number,
): Build {
  const idleLitersPerMillisecond = idleLitersPerHour / 3_600_000
  return {
    fuel,
    tankLiters,
    litersPerMeter,
    idleLitersPerMillisecond,
    fuelPerMeter: litersPerMeter / tankLiters,
    fuelPerIdleMillisecond: idleLitersPerMillisecond / tankLiters,
    isTruck: fuel === 'diesel',
  }
}

/** Returns the properties of a vehicle. Most are trucks on long hauls; vans drive shorter ones. */
export function builtAs(seed: number, vehicle: number): Build {
  const kind = drawsOf(seed, about.vehicle, vehicle)()
  if (kind < 0.8) return truck
  return kind < 0.95 ? van : electric
}

/** Returns a vehicle at a time. Edits change its name, plate and group in turn. */
export function vehicleAt(number: number, roster: Roster, seeded: Seeded, at: Ms): Vehicle {
  const life = roster.vehicleLife(number)
  const draw = drawsOf(seeded.seed, about.vehicle, number, 1)
  const { fuel, tankLiters } = builtAs(seeded.seed, number)
  const [make, model] = oneOf<readonly [string, string]>(draw, modelsOf[fuel])
  const [renamed, replated, moved] = editsOfKinds(number, editsBy(life, at))
  return {
    ...memberAt(number, life, at),
    name: renamed === 0 ? `Unit ${100 + number}` : `Unit ${100 + number}-${renamed}`,
    vin: vinOf(draw, number),
    make,
    model,
    year: wholeBetween(draw, 2014, 2026),
    plate: plateOf(draw, number + replated * 1_000),
    plateState: oneOf(draw, states),
    fuel,
    tankLiters,
    isActive: isActive(life, at),
    groups: [1, 1 + ((number + moved) % groupCount(seeded.vehicles))].filter(
      (group, index, all) => all.indexOf(group) === index,
    ),
    deviceSerial: String(860_000_000_000_000 + seeded.seed * 1_000_000 + number),
  }
}

function editsOfKinds(number: number, edits: number): [renamed: number, replated: number, moved: number] {
  const counts: [number, number, number] = [0, 0, 0]
  for (let edit = 0; edit < edits; edit++) counts[((number + edit) % 3) as 0 | 1 | 2]++
  return counts
}

const modelsOf = { diesel: trucks, gasoline: vans, electric: electricVans }
