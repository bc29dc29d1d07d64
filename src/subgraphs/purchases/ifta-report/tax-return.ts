import { kilometersToMiles, litersToUsGallons } from '../../../domain/units.ts'
import type { IftaReturn, IftaReturnLine } from './ifta-report.ts'
import { isMember } from './members.ts'

/** What vehicles drove and bought in a jurisdiction; null for an unknown one. */
export interface JurisdictionSums {
  readonly jurisdiction: string | null
  readonly kilometers: number
  readonly liters: number
}

/** Units of a return: kilometers and liters, or miles and US gallons. */
export const iftaUnits = ['metric', 'us'] as const
export type IftaUnits = (typeof iftaUnits)[number]

/**
 * Computes a return as its form does: from whole distances and amounts of fuel, and from a mean consumption with two
 * decimals. So each number follows from the numbers that the return shows.
 */
export function taxReturnOf(sums: readonly JurisdictionSums[], units: IftaUnits): IftaReturn {
  const places = sums
    .map(({ jurisdiction, kilometers, liters }) => ({
      jurisdiction,
      isMember: isMember(jurisdiction),
      distance: Math.round(units === 'us' ? kilometersToMiles(kilometers) : kilometers),
      bought: Math.round(units === 'us' ? litersToUsGallons(liters) : liters),
    }))
    .toSorted(byJurisdiction)
  const distance = sumOf(places, 'distance')
  const bought = sumOf(places, 'bought')
  const hundredths = hundredthsOf(distance, bought)
  const jurisdictions = places.map((place): IftaReturnLine => {
    const used = hundredths && place.isMember ? fuelFor(place.distance, hundredths) : null
    return { ...place, used, net: used === null ? null : used - place.bought }
  })
  const members = jurisdictions.filter((line) => line.isMember)
  const taxPaid = sumOf(members, 'bought')
  const used = hundredths && sumOf(members, 'used')
  return {
    distancePerFuel: hundredths && hundredths / 100,
    distance,
    bought,
    used,
    taxPaid,
    net: used === null ? null : used - taxPaid,
    jurisdictions,
  }
}

/** The unknown jurisdiction comes last. */
const byJurisdiction = (one: JurisdictionKey, other: JurisdictionKey): number =>
  Number(one.jurisdiction === null) - Number(other.jurisdiction === null) ||
  ((one.jurisdiction ?? '') < (other.jurisdiction ?? '') ? -1 : 1)

type JurisdictionKey = Pick<JurisdictionSums, 'jurisdiction'>

const sumOf = <Name extends string>(
  rows: readonly Readonly<Record<Name, number | null>>[],
  name: Name,
): number => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)

/** Returns the distance for one unit of fuel in hundredths, rounded half up. Null without a distance or fuel. */
export const hundredthsOf = (distance: number, fuel: number): number | null =>
  fuel > 0 ? Math.round((100 * distance) / fuel) || null : null

/** Returns the whole amount of fuel for a distance, rounded half up. */
export const fuelFor = (distance: number, hundredths: number): number =>
  Math.round((100 * distance) / hundredths)
