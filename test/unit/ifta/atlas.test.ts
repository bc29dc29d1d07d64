import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadJurisdictionLookup } from '../../../src/domain/jurisdictions/jurisdiction-lookup.ts'
import type { Boundaries } from '../../../src/domain/jurisdictions/border-index.ts'
import { decodeLine, encodeLine } from '../../../src/domain/geo/polyline.ts'

const lookup = await loadJurisdictionLookup()

type Place = readonly [name: string, latitude: number, longitude: number, jurisdiction: string | null]

const jurisdictionsOf = (places: readonly Place[]) =>
  places.map(([name, latitude, longitude]) => [name, lookup.jurisdictionOf({ latitude, longitude })])

const expected = (places: readonly Place[]) => places.map(([name, , , jurisdiction]) => [name, jurisdiction])

const cities: readonly Place[] = [
  ['Seattle', 47.6062, -122.3321, 'WA'],
  ['Miami', 25.7617, -80.1918, 'FL'],
  ['Chicago', 41.8781, -87.6298, 'IL'],
  ['Denver', 39.7392, -104.9903, 'CO'],
  ['El Paso', 31.7619, -106.4869, 'TX'],
  ['Vancouver', 49.2827, -123.1207, 'BC'],
  ['Calgary', 51.0447, -114.0719, 'AB'],
  ['Regina', 50.4452, -104.6189, 'SK'],
  ['Winnipeg', 49.8951, -97.1384, 'MB'],
  ['Toronto', 43.6532, -79.3832, 'ON'],
  ['Montreal', 45.5019, -73.5674, 'QC'],
  ['Moncton', 46.0878, -64.7782, 'NB'],
  ['Charlottetown', 46.2382, -63.1311, 'PE'],
  ["St. John's", 47.5615, -52.7126, 'NL'],
]

const outsideIfta: readonly Place[] = [
  ['Anchorage', 61.2181, -149.9003, 'AK'],
  ['Attu, beyond the 180th meridian', 52.9, 172.9, 'AK'],
  ['Honolulu', 21.3069, -157.8583, 'HI'],
  ['Washington', 38.9072, -77.0369, 'DC'],
  ['San Juan', 18.4655, -66.1057, 'PR'],
  ['Whitehorse', 60.7212, -135.0568, 'YT'],
  ['Yellowknife', 62.454, -114.3718, 'NT'],
  ['Iqaluit', 63.7467, -68.517, 'NU'],
]

const byWater: readonly Place[] = [
  ['Manhattan', 40.7484, -73.9857, 'NY'],
  ['Jersey City', 40.7178, -74.0431, 'NJ'],
  ['Camden', 39.9259, -75.1196, 'NJ'],
  ['Philadelphia', 39.9526, -75.1652, 'PA'],
  ['Halifax', 44.6488, -63.5752, 'NS'],
  ['San Francisco', 37.7749, -122.4194, 'CA'],
  ['the Golden Gate Bridge', 37.8199, -122.4783, 'CA'],
  ['the Chesapeake Bay Bridge-Tunnel', 37.03, -76.11, 'VA'],
  ['the Lake Pontchartrain Causeway', 30.2, -90.1, 'LA'],
  ['the Seven Mile Bridge', 24.7, -81.16, 'FL'],
]

const acrossABorder: readonly Place[] = [
  ['Kansas City, Missouri', 39.0997, -94.5786, 'MO'],
  ['Kansas City, Kansas', 39.1141, -94.6275, 'KS'],
  ['Blaine', 48.9937, -122.7471, 'WA'],
  ['White Rock', 49.0253, -122.8026, 'BC'],
  ['Detroit', 42.3314, -83.0458, 'MI'],
  ['Windsor', 42.3149, -83.0364, 'ON'],
  ['Ottawa', 45.4215, -75.6972, 'ON'],
  ['Gatineau', 45.4765, -75.7013, 'QC'],
  ['Texarkana, Texas', 33.4251, -94.0477, 'TX'],
  ['Texarkana, Arkansas', 33.4418, -94.0377, 'AR'],
  ['Lloydminster, west', 53.278, -110.02, 'AB'],
  ['Lloydminster, east', 53.278, -109.98, 'SK'],
]

const enclaves: readonly Place[] = [
  ['Carter Lake, Iowa, on the Nebraskan bank', 41.2906, -95.9081, 'IA'],
  ['Omaha around it', 41.2565, -95.9345, 'NE'],
  ['the Kentucky Bend', 36.54, -89.5, 'KY'],
  ['Point Roberts', 48.985, -123.07, 'WA'],
  ['the Northwest Angle', 49.35, -95.05, 'MN'],
]

const outsideJurisdictions: readonly Place[] = [
  ['Tijuana, next to San Diego', 32.5149, -117.0382, null],
  ['Ciudad Juárez, next to El Paso', 31.69, -106.4245, null],
  ['Nuevo Laredo, next to Laredo', 27.4763, -99.5075, null],
  ['the middle of the Gulf', 27, -90, null],
  ['Paris', 48.85, 2.35, null],
  ['no fix', 0, 0, null],
  ['a latitude that does not exist', 122.142, -77, null],
  ['not a number', Number.NaN, Number.NaN, null],
]

/** Errors of the boundary sources, which are too coarse here. A case that gets fixed moves to a list above. */
const knownLimits: readonly Place[] = [
  ['Calais, Maine, across the river from New Brunswick', 45.188, -67.278, 'NB'],
]

describe('the jurisdiction of a location', () => {
  test('is known for cities', () => expect(jurisdictionsOf(cities)).toEqual(expected(cities)))

  test('is its code even outside IFTA', () =>
    expect(jurisdictionsOf(outsideIfta)).toEqual(expected(outsideIfta)))

  test('is that of the nearest shore on bridges, piers and islands', () =>
    expect(jurisdictionsOf(byWater)).toEqual(expected(byWater)))

  test('changes at the border', () => expect(jurisdictionsOf(acrossABorder)).toEqual(expected(acrossABorder)))

  test('is right in enclaves', () => expect(jurisdictionsOf(enclaves)).toEqual(expected(enclaves)))

  test('is null in Mexico, far from every shore and for invalid coordinates', () =>
    expect(jurisdictionsOf(outsideJurisdictions)).toEqual(expected(outsideJurisdictions)))

  test('is wrong in known cases where the sources are wrong', () =>
    expect(jurisdictionsOf(knownLimits)).toEqual(expected(knownLimits)))

  test('does not depend on earlier lookups', async () => {
    const { createJurisdictionLookup } =
      await import('../../../src/domain/jurisdictions/jurisdiction-lookup.ts')
    const fresh = createJurisdictionLookup(boundaries())
    const place = fc.record({
      longitude: fc.double({ min: -125, max: -66, noNaN: true }),
      latitude: fc.double({ min: 25, max: 52, noNaN: true }),
    })
    fc.assert(
      fc.property(place, (at) => fresh.jurisdictionOf(at) === lookup.jurisdictionOf(at)),
      { numRuns: 500 },
    )
  })
})

describe('the distance to a jurisdiction', () => {
  const kilometersTo = (jurisdiction: string, latitude: number, longitude: number) =>
    lookup.kilometersTo(jurisdiction, { latitude, longitude })

  test('is 0 inside, and that to the nearest border outside', () => {
    expect(kilometersTo('TX', 30.2672, -97.7431)).toBe(0)
    // Amarillo, south of the Oklahoma panhandle, whose border is at 36.5° N.
    expect(kilometersTo('OK', 35.207, -101.8313)).toBeCloseTo((36.5 - 35.207) * 111.2, 0)
    // Kansas City, Kansas, is at the state line.
    expect(kilometersTo('MO', 39.1141, -94.6275)).toBeLessThan(2)
    expect(kilometersTo('BC', 48.5, -120)).toBeCloseTo(0.5 * 111.2, -1)
  })

  test('is known for each code with borders', () => {
    expect(['TX', 'ON', 'PR', 'FM', 'MX', 'XX'].map((code) => lookup.has(code))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    expect(() => kilometersTo('XX', 30, -97)).toThrow('there is no jurisdiction XX')
  })
})

const boundaries = () =>
  JSON.parse(
    readFileSync(new URL('../../../src/domain/jurisdictions/boundaries.json', import.meta.url), 'utf8'),
  ) as unknown as Boundaries

describe('the boundaries', () => {
  const { layers } = boundaries()

  test('are those of 56 states and territories, 13 provinces and territories and Mexico', () => {
    const codes = new Set(layers.flatMap(({ borders }) => borders.flatMap(([sides]) => sides.split(' '))))
    expect(codes.size).toBe(56 + 13 + 1)
    expect(codes).toContain('NL')
  })

  test('form closed rings around every jurisdiction', () => {
    const open = layers.flatMap(({ borders }) => {
      const ends = new Map<string, number>()
      for (const [sides, line] of borders) {
        const points = decodeLine(line)
        for (const side of sides.split(' '))
          for (const end of [points[0], points.at(-1)]) {
            const key = `${side} ${end?.join(' ')}`
            ends.set(key, (ends.get(key) ?? 0) + 1)
          }
      }
      return [...ends].filter(([, count]) => count % 2 === 1)
    })
    expect(open).toEqual([])
  })

  test('survive encoding and decoding', () => {
    const number = fc.integer({ min: -200_000, max: 200_000 })
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number)), (line) => {
        expect(decodeLine(encodeLine(line))).toEqual(line)
      }),
    )
  })
})
