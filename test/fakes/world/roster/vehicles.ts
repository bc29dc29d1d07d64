import { drawPurpose, drawsOf, oneOf, wholeBetween } from '../draws.ts'
import { editsBy, isActive, memberAt } from '../lifetimes.ts'
import { groupCount } from './groups.ts'
import { electricVans, states, trucks, vans } from './names.ts'
import type { Seeded } from '../options.ts'
import { plateOf, vinOf } from './plates.ts'
import type { Roster } from './roster.ts'
import type { Ms, Vehicle } from '../truth.ts'

/** Properties of a vehicle that never change and determine how it drives. */
export interface VehicleSpec {
  readonly fuel: Vehicle['fuel']
  readonly tankLiters: number
  readonly litersPerMeter: number
  readonly idleLitersPerMillisecond: number
  /** Share of the tank or battery per meter. */
  readonly fuelPerMeter: number
  readonly fuelPerIdleMillisecond: number
  readonly isTruck: boolean
}

const truck: VehicleSpec = createSpec('diesel', 900, 0.34 / 1000, 3)
const van: VehicleSpec = createSpec('gasoline', 95, 0.14 / 1000, 1.5)
const electric: VehicleSpec = {
  ...createSpec('electric', 1, 1 / 450_000, 0.01),
  tankLiters: 0,
  litersPerMeter: 0,
  idleLitersPerMillisecond: 0,
}

function createSpec(
  fuel: Vehicle['fuel'],
  tankLiters: number,
  litersPerMeter: number,
  idleLitersPerHour: number,
): VehicleSpec {
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

export function specOf(seed: number, vehicle: number): VehicleSpec {
  const kind = drawsOf(seed, drawPurpose.vehicle, vehicle)()
  if (kind < 0.8) return truck
  return kind < 0.95 ? van : electric
}

/** Returns a vehicle as it is at a time. Each edit changes the name, the plate or the group. */
export function vehicleAt(number: number, roster: Roster, seeded: Seeded, at: Ms): Vehicle {
  const life = roster.vehicleLife(number)
  const draw = drawsOf(seeded.seed, drawPurpose.vehicle, number, 1)
  const { fuel, tankLiters } = specOf(seeded.seed, number)
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
