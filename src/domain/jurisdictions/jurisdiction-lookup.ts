import {
  type Boundaries,
  CELLS_PER_DEGREE,
  type BorderIndex,
  indexBorders,
  NO_SIDE,
  rowOf,
} from './border-index.ts'
import { kilometersToLine } from '../geo/geodesy.ts'
import type { Point } from '../models/point.ts'

/** Two-letter code of a US state, DC or a US territory, or of a Canadian province or territory. */
export type Jurisdiction = string

export interface JurisdictionLookup {
  /**
   * Returns the jurisdiction of a point. Where the sources overlap at the border of two countries, it is the
   * jurisdiction in the United States. A point outside of all jurisdictions, mostly on water, gets the one of the
   * nearest shore within 25 km. Null in Mexico and in all other places.
   */
  jurisdictionOf(point: Point): Jurisdiction | null
  /** Whether the borders of a jurisdiction are known. */
  has(jurisdiction: Jurisdiction): boolean
  /**
   * Returns the distance in km from a point to a jurisdiction, 0 inside. It is approximate if the point is far away. Throws
   * if the borders are unknown.
   */
  kilometersTo(jurisdiction: Jurisdiction, point: Point): number
}

let loading: Promise<JurisdictionLookup> | undefined

/** Returns the lookup for North America. The boundaries are loaded at the first call. */
export const loadJurisdictionLookup = (): Promise<JurisdictionLookup> =>
  (loading ??= readJurisdictionLookup())

async function readJurisdictionLookup(): Promise<JurisdictionLookup> {
  const { default: boundaries } = await import('./boundaries.json', { with: { type: 'json' } })
  return createJurisdictionLookup(boundaries as unknown as Boundaries)
}

/** Mexico is in the data so that its points near the border are not assigned to a US jurisdiction. */
const OUTSIDE = 'MX'
const SHORE_KILOMETERS = 25
/** `SHORE_KILOMETERS` in degrees of latitude. */
const SHORE_DEGREES = 0.226
const COLUMNS = 360 * CELLS_PER_DEGREE
const CELLS = COLUMNS * 180 * CELLS_PER_DEGREE

/**
 * States of a grid cell. UNKNOWN: not computed yet. MIXED: a border may cross it, or it is in no jurisdiction, so each
 * point is looked up. From FIRST_CODE on: the whole cell is in one jurisdiction.
 */
const UNKNOWN = 0
const MIXED = 1
const FIRST_CODE = 2

export function createJurisdictionLookup(boundaries: Boundaries): JurisdictionLookup {
  const edges = indexBorders(boundaries)
  const names = edges.codes.map((code) => (code === OUTSIDE ? null : code))
  const cells = new Uint8Array(CELLS)
  const edgesBySide: number[][] = []
  const jurisdictionOf = (point: Point): Jurisdiction | null => {
    const cell = cellOf(point)
    if (cell === null) return null
    if (cells[cell] === UNKNOWN) cells[cell] = stateOfCell(edges, point)
    const state = cells[cell] as number
    if (state !== MIXED) return names[state - FIRST_CODE] ?? null
    return names[jurisdictionCovering(edges, point) ?? nearestOf(edges, point) ?? NO_SIDE] ?? null
  }
  return {
    jurisdictionOf,
    has: (jurisdiction) => names.includes(jurisdiction),
    kilometersTo(jurisdiction, point) {
      const side = names.indexOf(jurisdiction)
      if (side < 0) throw new Error(`there is no jurisdiction ${jurisdiction}`)
      if (jurisdictionOf(point) === jurisdiction) return 0
      return kilometersToEdges(edges, (edgesBySide[side] ??= edgesOf(edges, side)), point)
    },
  }
}

/** Returns the edges of the borders of a jurisdiction. */
function edgesOf({ sides }: BorderIndex, side: number): number[] {
  const edges: number[] = []
  for (let edge = 0; edge * 2 < sides.length; edge++)
    if (sides[edge * 2] === side || sides[edge * 2 + 1] === side) edges.push(edge)
  return edges
}

/** Returns the distance from a point to the nearest of some edges. */
function kilometersToEdges({ ends }: BorderIndex, edges: readonly number[], point: Point): number {
  let nearest = Infinity
  for (const edge of edges) {
    const [fromX, toX] = [ends[edge * 4] as number, ends[edge * 4 + 2] as number]
    const [fromY, toY] = [ends[edge * 4 + 1] as number, ends[edge * 4 + 3] as number]
    nearest = Math.min(nearest, kilometersToLine(point, fromX, fromY, toX, toY))
  }
  return nearest
}

function cellOf({ longitude, latitude }: Point): number | null {
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) return null
  return rowOf(latitude) * COLUMNS + Math.min(COLUMNS - 1, columnOf(longitude))
}

const columnOf = (longitude: number): number => Math.floor((longitude + 180) * CELLS_PER_DEGREE)

/** Computes the state of a cell. All points of a cell without a border are in one jurisdiction. */
function stateOfCell(edges: BorderIndex, point: Point): number {
  const west = columnOf(point.longitude) / CELLS_PER_DEGREE - 180
  const east = west + 1 / CELLS_PER_DEGREE
  const { ends, rows } = edges
  const mayHaveBorder = rows[rowOf(point.latitude)]?.some((edge) => {
    const [from, to] = [ends[edge * 4] as number, ends[edge * 4 + 2] as number]
    return Math.max(from, to) >= west && Math.min(from, to) <= east
  })
  const covering = mayHaveBorder ? null : jurisdictionCovering(edges, point)
  return covering === null ? MIXED : FIRST_CODE + covering
}

/** Returns the first jurisdiction whose border a line due west of the point crosses an odd number of times. */
function jurisdictionCovering(
  { codes, ends, sides, rows }: BorderIndex,
  { longitude, latitude }: Point,
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

/** Returns the jurisdiction of the nearest border within `SHORE_KILOMETERS`, or null. */
function nearestOf({ ends, sides, rows }: BorderIndex, point: Point): number | null {
  const { longitude, latitude } = point
  const reach = SHORE_DEGREES / Math.max(0.05, Math.cos((latitude * Math.PI) / 180))
  const [west, east] = [longitude - reach, longitude + reach]
  let nearest = null
  let nearestKilometers = SHORE_KILOMETERS
  for (let row = rowOf(latitude - SHORE_DEGREES); row <= rowOf(latitude + SHORE_DEGREES); row++) {
    for (const edge of rows[row] ?? []) {
      const [fromX, toX] = [ends[edge * 4] as number, ends[edge * 4 + 2] as number]
      if ((fromX < west && toX < west) || (fromX > east && toX > east)) continue
      const [fromY, toY] = [ends[edge * 4 + 1] as number, ends[edge * 4 + 3] as number]
      const kilometers = kilometersToLine(point, fromX, fromY, toX, toY)
      if (kilometers >= nearestKilometers) continue
      nearest = sides[edge * 2] as number
      nearestKilometers = kilometers
    }
  }
  return nearest
}
