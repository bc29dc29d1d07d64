import type { Caller } from '../../auth/caller.ts'
import type { SetPurchaseSiteInput } from '../../subgraphs/purchases/sites/set-site-input.ts'
import { setPurchaseSites, siteValuesOf } from '../../subgraphs/purchases/sites/set-sites.ts'
import { CliError } from '../cli-error.ts'
import type { CommandContext } from '../command-context.ts'
import {
  BadRow,
  cellsOf,
  type CsvRow,
  type ImportResult,
  numberIn,
  readCsv,
  type RejectedRow,
  rejectionOf,
  requireKnownColumns,
} from '../csv.ts'

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

/**
 * Sets the sites in a CSV file. A bad row does not stop the others. With `isCheck`, nothing is changed. The file is read
 * twice: if it is not CSV to its end, nothing is changed.
 */
export async function importSites(
  { db, clock, output }: Pick<CommandContext, 'db' | 'clock' | 'output'>,
  caller: Caller,
  file: string,
  { isCheck }: { readonly isCheck: boolean },
): Promise<ImportResult> {
  const columns = await columnsOf(file)
  const rejected: RejectedRow[] = []
  const lineOfSite = new Map<string, number>()
  let rowCount = 0
  for await (const rows of batchesOf(file)) {
    const inputs: SetPurchaseSiteInput[] = []
    for (const row of rows) {
      try {
        const input = inputOf(columns, row)
        siteValuesOf(input)
        const earlier = lineOfSite.get(input.siteId)
        if (earlier !== undefined) throw new BadRow(`Line ${earlier} has the same siteId.`)
        lineOfSite.set(input.siteId, row.line)
        inputs.push(input)
      } catch (error) {
        rejected.push({ line: row.line, reason: rejectionOf(error) })
      }
    }
    if (!isCheck) await setPurchaseSites({ db, clock }, caller, inputs)
    rowCount += rows.length
    if (rows.length === ROWS_PER_BATCH) output.say(`${rowCount} rows read`)
  }
  return { accepted: lineOfSite.size, rejected }
}

/** Returns the columns of a file. Throws unless the whole file is CSV. */
async function columnsOf(file: string): Promise<readonly string[]> {
  let columns: readonly string[] | undefined
  for await (const { fields } of readCsv(file)) columns ??= fields
  requireKnownColumns(file, columns ?? [], SITE_COLUMNS)
  const missing = REQUIRED_COLUMNS.filter((name) => !columns?.includes(name))
  if (missing.length > 0) throw new CliError(`${file} has no columns ${missing.join(', ')}. See --help`)
  return columns ?? []
}

/** Returns the rows after the header, in batches. */
async function* batchesOf(file: string): AsyncGenerator<CsvRow[]> {
  const rows = readCsv(file)
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
  const degreesIn = (name: 'longitude' | 'latitude') => {
    const degrees = numberIn(name, cell(name))
    if (degrees === null) throw new BadRow(`The row has no ${name}.`)
    return degrees
  }
  return {
    siteId: cell('siteId'),
    name: cell('name'),
    coordinates: { longitude: degreesIn('longitude'), latitude: degreesIn('latitude') },
    radiusMeters: numberIn('radiusMeters', cell('radiusMeters')),
    postalCode: textIn('postalCode'),
    city: textIn('city'),
    state: textIn('state'),
    country: textIn('country')?.toUpperCase() ?? null,
  }
}
