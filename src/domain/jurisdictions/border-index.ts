import { decodeLine } from '../geo/polyline.ts'

/** Content of boundaries.json. Where layers overlap, an earlier one takes precedence. */
export interface Boundaries {
  readonly notice: string
  readonly layers: readonly Layer[]
}

export interface Layer {
  /** Degrees per step of the source grid. */
  readonly scale: readonly [x: number, y: number]
  /** Longitude and latitude of the grid origin. */
  readonly translate: readonly [x: number, y: number]
  readonly borders: readonly Border[]
}

/** Codes of the one or two jurisdictions that a line bounds, such as `KS MO`, and the encoded line. */
export type Border = readonly [sides: string, line: string]

/** Number of index rows per degree of latitude, and of cell columns per degree of longitude. */
export const CELLS_PER_DEGREE = 10
const ROWS = 180 * CELLS_PER_DEGREE
/** Side of an edge on which there is no jurisdiction. */
export const NO_SIDE = 255

/** Edges of all borders, indexed by rows of latitude. */
export interface BorderIndex {
  /** Jurisdiction codes. Those of an earlier layer come first. */
  readonly codes: readonly string[]
  /** Four numbers for each edge: longitude and latitude of its first end, then of its second end. */
  readonly ends: Float64Array
  /** Two indexes into `codes` for each edge. The second is NO_SIDE if the edge bounds one jurisdiction only. */
  readonly sides: Uint8Array
  /** Indexes of the edges that touch each row. */
  readonly rows: readonly (readonly number[])[]
}

export const rowOf = (latitude: number): number =>
  Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) * CELLS_PER_DEGREE)))

export function indexBorders({ layers }: Boundaries): BorderIndex {
  const codes: string[] = []
  const ends: number[] = []
  const sides: number[] = []
  for (const layer of layers) {
    for (const [names, line] of layer.borders) {
      const [left = NO_SIDE, right = NO_SIDE] = names.split(' ').map((code) => indexOfCode(codes, code))
      const points = degreesOf(layer, line)
      for (const [index, [x, y]] of points.slice(1).entries()) {
        const [fromX, fromY] = points[index] as Degrees
        ends.push(fromX, fromY, x, y)
        sides.push(left, right)
      }
    }
  }
  return { codes, ends: Float64Array.from(ends), sides: Uint8Array.from(sides), rows: rowsOf(ends) }
}

function indexOfCode(codes: string[], code: string): number {
  const index = codes.indexOf(code)
  return index >= 0 ? index : codes.push(code) - 1
}

type Degrees = readonly [longitude: number, latitude: number]

const degreesOf = ({ scale, translate }: Layer, line: string): Degrees[] =>
  decodeLine(line).map(([x, y]) => [x * scale[0] + translate[0], y * scale[1] + translate[1]])

function rowsOf(ends: readonly number[]): number[][] {
  const rows: number[][] = Array.from({ length: ROWS }, () => [])
  for (let start = 0; start < ends.length; start += 4) {
    const [from, to] = [rowOf(ends[start + 1] as number), rowOf(ends[start + 3] as number)]
    for (let row = Math.min(from, to); row <= Math.max(from, to); row++) rows[row]?.push(start / 4)
  }
  return rows
}
