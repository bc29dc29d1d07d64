import {
  type Boundaries,
  CELLS_PER_DEGREE,
  type BorderIndex,
  indexBorders,
  NO_SIDE,
  rowOf,
} from './border-index.ts'
import { kilometersToLine, type Coordinates } from './geodesy.ts'

/** Two letters: a US state, DC or a territory, or a Canadian province or territory. */
export type Jurisdiction = string

export interface JurisdictionLookup {
  /**
   * Where a place lies. Where the sources overlap, at the border of two countries, it is the United States; what lies
   * in none, mostly on the water, is of the nearest shore up to 25 km away. Mexico and everything else is null.
   */
  jurisdictionOf(place: Coordinates): Jurisdiction | null
}

let loading: Promise<JurisdictionLookup> | undefined

/** The atlas of North America, read when it is first needed. */
export const loadJurisdictionLookup = (): Promise<JurisdictionLookup> =>
  (loading ??= readJurisdictionLookup())

async function readJurisdictionLookup(): Promise<JurisdictionLookup> {
  const { default: boundaries } = await import('./boundaries.json', { with: { type: 'json' } })
  return createJurisdictionLookup(boundaries as unknown as Boundaries)
}

/** It is on the map so that its side of the border is not taken for a place near an American shore. */
const OUTSIDE = 'MX'
const SHORE_KILOMETERS = 25
/** So many degrees of latitude. */
const SHORE_DEGREES = 0.226
const COLUMNS = 360 * CELLS_PER_DEGREE
const CELLS = COLUMNS * 180 * CELLS_PER_DEGREE

/** What is known of a cell of a tenth of a degree: nothing yet, that it must be looked at, or all is one place. */
const UNKNOWN = 0
const MIXED = 1
const FIRST_CODE = 2

export function createJurisdictionLookup(boundaries: Boundaries): JurisdictionLookup {
  const edges = indexBorders(boundaries)
  const names = edges.codes.map((code) => (code === OUTSIDE ? null : code))
  const cells = new Uint8Array(CELLS)
  return {
    jurisdictionOf(place) {
      const cell = cellOf(place)
      if (cell === null) return null
      if (cells[cell] === UNKNOWN) cells[cell] = stateOfCell(edges, place)
      const state = cells[cell] as number
      if (state !== MIXED) return names[state - FIRST_CODE] ?? null
      return names[jurisdictionsCovering(edges, place) ?? nearestOf(edges, place) ?? NO_SIDE] ?? null
    },
  }
}

function cellOf({ longitude, latitude }: Coordinates): number | null {
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) return null
  return rowOf(latitude) * COLUMNS + Math.min(COLUMNS - 1, columnOf(longitude))
}

const columnOf = (longitude: number): number => Math.floor((longitude + 180) * CELLS_PER_DEGREE)

/** A cell that no border touches is as a whole where one of its places is. */
function stateOfCell(edges: BorderIndex, place: Coordinates): number {
  const west = columnOf(place.longitude) / CELLS_PER_DEGREE - 180
  const east = west + 1 / CELLS_PER_DEGREE
  const { ends, rows } = edges
  const touched = rows[rowOf(place.latitude)]?.some((edge) => {
    const [from, to] = [ends[edge * 4] as number, ends[edge * 4 + 2] as number]
    return Math.max(from, to) >= west && Math.min(from, to) <= east
  })
  const covering = touched ? null : jurisdictionsCovering(edges, place)
  return covering === null ? MIXED : FIRST_CODE + covering
}

/** The jurisdiction whose border a line due west of the place crosses an odd number of times; the first of several. */
function jurisdictionsCovering(
  { codes, ends, sides, rows }: BorderIndex,
  { longitude, latitude }: Coordinates,
): number | null {
  const isInside = new Uint8Array(NO_SIDE + 1)
  for (const edge of rows[rowOf(latitude)] ?? []) {
    const [fromY, toY] = [ends[edge * 4 + 1] as number, ends[edge * 4 + 3] as number]
    if (fromY > latitude === toY > latitude) continue
    const [fromX, toX] = [ends[edge * 4] as number, ends[edge * 4 + 2] as number]
    if (fromX + ((latitude - fromY) / (toY - fromY)) * (toX - fromX) >= longitude) continue
    for (const side of [sides[edge * 2] as number, sides[edge * 2 + 1] as number])
      isInside[side] = 1 - (isInside[side] as number)
  }
  const first = isInside.indexOf(1)
  return first >= 0 && first < codes.length ? first : null
}

function nearestOf({ ends, sides, rows }: BorderIndex, place: Coordinates): number | null {
  const { longitude, latitude } = place
  const reach = SHORE_DEGREES / Math.max(0.05, Math.cos((latitude * Math.PI) / 180))
  const [west, east] = [longitude - reach, longitude + reach]
  let nearest = null
  let nearestKilometers = SHORE_KILOMETERS
  for (let row = rowOf(latitude - SHORE_DEGREES); row <= rowOf(latitude + SHORE_DEGREES); row++) {
    for (const edge of rows[row] ?? []) {
      const [fromX, toX] = [ends[edge * 4] as number, ends[edge * 4 + 2] as number]
      if ((fromX < west && toX < west) || (fromX > east && toX > east)) continue
      const [fromY, toY] = [ends[edge * 4 + 1] as number, ends[edge * 4 + 3] as number]
      const kilometers = kilometersToLine(place, fromX, fromY, toX, toY)
      if (kilometers >= nearestKilometers) continue
      nearest = sides[edge * 2] as number
      nearestKilometers = kilometers
    }
  }
  return nearest
}
