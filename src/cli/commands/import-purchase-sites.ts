import type { Caller } from '../../auth/caller.ts'
import { kilometersFromPostalCode } from '../../subgraphs/purchases/evidence/merchant-place.ts'
import type { SetPurchaseSiteInput } from '../../subgraphs/purchases/sites/set-site-input.ts'
import { setPurchaseSites, siteValuesOf } from '../../subgraphs/purchases/sites/set-sites.ts'
import { CliError } from '../cli-error.ts'
import type { CommandContext } from '../command-context.ts'
import {
  BadRow,
  cellsOf,
  type CsvRow,
  type ImportResult,
  noRowsIn,
  numberIn,
  parseCsv,
  readCsvFile,
  rejectedRow,
  type RejectedRow,
  requireKnownColumns,
} from '../csv.ts'
import type { Cells } from '../output.ts'

/** Columns that a file must have. */
const REQUIRED_COLUMNS = ['siteId', 'name', 'longitude', 'latitude'] as const

export const SITE_COLUMNS = [
  ...REQUIRED_COLUMNS,
  'radiusMeters',
  'postalCode',
  'city',
  'state',
  'country',
] as const

type SiteColumn = (typeof SITE_COLUMNS)[number]

/** Rows that are set in one transaction. */
const ROWS_PER_BATCH = 1000

/** A site that is further from the area of its postal code gets a warning: sources of postal codes differ by less. */
const MAX_KILOMETERS_FROM_POSTAL_CODE = 100

interface SiteImportResult extends ImportResult {
  /** Accepted rows that may be wrong. */
  readonly warnings: readonly Cells[]
}

/**
 * Sets the sites in a CSV file. A bad row does not stop the others. With `isCheck`, nothing is changed. The file is
 * parsed twice: if it is not CSV to its end, nothing is changed.
 */
export async function importSites(
  { db, clock, output }: Pick<CommandContext, 'db' | 'clock' | 'output'>,
  caller: Caller,
  file: string,
  { isCheck }: { readonly isCheck: boolean },
): Promise<SiteImportResult> {
  const { name, content } = await readCsvFile(file)
  const columns = await columnsOf(name, content)
  const rejected: RejectedRow[] = []
  const warnings: Cells[] = []
  const lineOfSite = new Map<string, number>()
  let rowCount = 0
  for await (const rows of batchesOf(content)) {
    const inputs: SetPurchaseSiteInput[] = []
    for (const row of rows) {
      try {
        const input = inputOf(columns, row)
        siteValuesOf(input)
        const earlier = lineOfSite.get(input.siteId)
        if (earlier !== undefined) throw new BadRow(`Line ${earlier} has the same siteId.`)
        lineOfSite.set(input.siteId, row.line)
        inputs.push(input)
        const warning = await warningOf(input)
        if (warning !== null) warnings.push({ line: row.line, siteId: input.siteId, warning })
      } catch (error) {
        rejected.push(rejectedRow(columns, row, 'siteId', error))
      }
    }
    if (!isCheck) await setPurchaseSites({ db, clock }, caller, inputs)
    rowCount += rows.length
    if (rows.length === ROWS_PER_BATCH) output.say(`${rowCount} rows read`)
  }
  return { accepted: lineOfSite.size, rejected, warnings }
}

/** Returns a warning about a site far from its postal code; null if it is near, or the table lacks the code. */
async function warningOf({ coordinates, postalCode, country }: SetPurchaseSiteInput): Promise<string | null> {
  if (postalCode == null || country == null) return null
  const kilometers = await kilometersFromPostalCode(coordinates, { postalCode, country })
  if (kilometers === null || kilometers <= MAX_KILOMETERS_FROM_POSTAL_CODE) return null
  const distance = Math.round(kilometers).toLocaleString('en')
  return `The site is ${distance} km from its postal code ${postalCode}: are longitude and latitude swapped?`
}

/** Returns the columns of a file. Throws unless the whole file is CSV and has rows. */
async function columnsOf(file: string, content: Buffer): Promise<readonly string[]> {
  let columns: readonly string[] = []
  let lineCount = 0
  for await (const { fields } of parseCsv(content)) if (lineCount++ === 0) columns = fields
  requireKnownColumns(file, columns, SITE_COLUMNS)
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name))
  if (missing.length > 0) throw new CliError(`${file} has no columns ${missing.join(', ')}. See --help`)
  if (lineCount === 1) throw noRowsIn(file)
  return columns
}

/** Returns the rows after the header, in batches. */
async function* batchesOf(content: Buffer): AsyncGenerator<CsvRow[]> {
  const rows = parseCsv(content)
  await rows.next()
  let batch: CsvRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < ROWS_PER_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function inputOf(columns: readonly string[], row: CsvRow): SetPurchaseSiteInput {
  const cell = cellsOf<SiteColumn>(columns, row)
  const textIn = (name: SiteColumn) => cell(name) || null
  const degreesIn = (name: 'longitude' | 'latitude', example: number) => {
    const degrees = numberIn(name, cell(name), example)
    if (degrees === null) throw new BadRow(`The row has no ${name}.`)
    return degrees
  }
  return {
    siteId: cell('siteId'),
    name: cell('name'),
    coordinates: {
      longitude: degreesIn('longitude', -97.7431),
      latitude: degreesIn('latitude', 30.2672),
    },
    radiusMeters: numberIn('radiusMeters', cell('radiusMeters'), 150),
    postalCode: textIn('postalCode'),
    city: textIn('city'),
    state: textIn('state'),
    country: textIn('country'),
  }
}
