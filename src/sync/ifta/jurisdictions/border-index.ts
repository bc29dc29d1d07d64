import { decodeLine } from './polyline.ts'

/** What boundaries.json holds: the layers by precedence where they overlap. */
export interface Boundaries {
  readonly notice: string
  readonly layers: readonly Layer[]
}

export interface Layer {
  /** Degrees of a step of the source's grid. */
  readonly scale: readonly [x: number, y: number]
  /** Longitude and latitude where the grid begins. */
  readonly translate: readonly [x: number, y: number]
  readonly borders: readonly Border[]
}

/** The one or two jurisdictions that a line bounds, such as `KS MO`, and the line. */
export type Border = readonly [sides: string, line: string]

/** Rows of the index are a tenth of a degree high. */
export const CELLS_PER_DEGREE = 10
const ROWS = 180 * CELLS_PER_DEGREE
export const NO_SIDE = 255

/** The edges of all borders, found by the row in which they lie. */
export interface BorderIndex {
  /** Those of an earlier layer come first. */
  readonly codes: readonly string[]
  /** Four numbers an edge: longitude and latitude of one end, and of the other. */
  readonly ends: Float64Array
  /** Two numbers an edge: places in `codes`, NO_SIDE where it bounds one jurisdiction only. */
  readonly sides: Uint8Array
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
      for (const [at, [x, y]] of points.slice(1).entries()) {
        const [fromX, fromY] = points[at] as Degrees
        ends.push(fromX, fromY, x, y)
        sides.push(left, right)
      }
    }
  }
  return { codes, ends: Float64Array.from(ends), sides: Uint8Array.from(sides), rows: rowsOf(ends) }
}

function indexOfCode(codes: string[], code: string): number {
  const at = codes.indexOf(code)
  return at >= 0 ? at : codes.push(code) - 1
}

type Degrees = readonly [longitude: number, latitude: number]

const degreesOf = ({ scale, translate }: Layer, line: string): Degrees[] =>
  decodeLine(line).map(([x, y]) => [x * scale[0] + translate[0], y * scale[1] + translate[1]])

function rowsOf(ends: readonly number[]): number[][] {
  const rows: number[][] = Array.from({ length: ROWS }, () => [])
  for (let at = 0; at < ends.length; at += 4) {
    const [from, to] = [rowOf(ends[at + 1] as number), rowOf(ends[at + 3] as number)]
    for (let row = Math.min(from, to); row <= Math.max(from, to); row++) rows[row]?.push(at / 4)
  }
  return rows
}
