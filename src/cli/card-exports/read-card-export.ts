import type { Caller } from '../../auth/caller.ts'
import { type Calendar, findCalendar } from '../../domain/calendar.ts'
import type { Clock } from '../../domain/time.ts'
import type { Rows } from '../../storage/database.ts'
import type { PastPurchase } from '../../subgraphs/purchases/replays/past-purchase.ts'
import { validatePurchase } from '../../subgraphs/purchases/validate-purchase.ts'
import { CliError } from '../cli-error.ts'
import { BadRow, noRowsIn, parseCsv, readCsvFile, reasonOfBadRow, type RejectedRow } from '../csv.ts'
import { findVehicles } from './find-vehicles.ts'
import { mappedColumns } from './mapped-columns.ts'
import type { ColumnMapping } from './mapping-schema.ts'
import { type ExportLayout, type PurchaseRow, readPurchaseRow } from './purchase-row.ts'

export interface ExportedPurchase {
  readonly line: number
  readonly purchase: PastPurchase
}

/** Purchases of a file, with the rows that were left out. Both are in the order of the file. */
export interface CardExport {
  readonly purchases: readonly ExportedPurchase[]
  readonly rejected: readonly RejectedRow[]
}

interface ExportOptions {
  readonly mapping: ColumnMapping
  /** Time zone of times without one; null if there is none. */
  readonly timeZone: string | null
}

/**
 * Reads the purchases of a CSV file that a card provider exports. A bad row does not stop the others. Throws if the file is
 * not CSV to its end. Card numbers are neither returned nor part of a reason.
 */
export async function readCardExport(
  { db, clock }: { readonly db: Rows; readonly clock: Clock },
  caller: Caller,
  file: string,
  { mapping, timeZone }: ExportOptions,
): Promise<CardExport> {
  const calendar = timeZone === null ? null : calendarOfFile(timeZone)
  const { name, content } = await readCsvFile(file)
  const lines = parseCsv(content)
  const first = await lines.next()
  const header: readonly string[] = first.done ? [] : first.value.fields
  const layout: ExportLayout = { header, mapping, columns: mappedColumns(name, header, mapping), calendar }
  const rejected: BadLine[] = []
  const rows: PurchaseRow[] = []
  for await (const line of lines) attempt(line, rejected, () => rows.push(readPurchaseRow(layout, line)))
  if (rows.length + rejected.length === 0) throw noRowsIn(name)
  const buyerOf = await findVehicles(
    db,
    caller,
    rows.map(({ named }) => named),
  )
  const now = clock.now()
  const purchases: ExportedPurchase[] = []
  const lineOfPurchase = new Map<string, number>()
  for (const { line, named, bought } of rows)
    attempt({ line }, rejected, () => {
      const purchase: PastPurchase = { ...bought, ...buyerOf(named), cardId: named.cardId || null }
      validatePurchase({ ...purchase, at: purchase.purchasedAt, idempotencyKey: `line ${line}` }, now)
      const key = keyOfPurchase(purchase)
      const earlier = lineOfPurchase.get(key)
      if (earlier !== undefined) throw new BadRow(`Line ${earlier} has the same purchase.`)
      lineOfPurchase.set(key, line)
      purchases.push({ line, purchase })
    })
  return { purchases, rejected: rejected.toSorted((one, other) => one.line - other.line) }
}

function calendarOfFile(timeZone: string): Calendar {
  const calendar = findCalendar(timeZone)
  if (calendar) return calendar
  throw new CliError(`There is no time zone ${timeZone}. Give one such as America/Chicago`)
}

type BadLine = RejectedRow & { readonly line: number }

/** Does the work of a line. If the line is bad, it is added to those that are rejected. */
function attempt({ line }: { readonly line: number }, rejected: BadLine[], work: () => void): void {
  try {
    work()
  } catch (error) {
    rejected.push({ line, reason: reasonOfBadRow(error) })
  }
}

/** Returns what is equal only for a purchase that an export has twice. */
const keyOfPurchase = ({
  purchasedAt,
  vehicleId,
  cardId,
  phase,
  amount,
  fuel,
  merchant,
}: PastPurchase): string =>
  JSON.stringify([purchasedAt, vehicleId, cardId, phase, amount, fuel, merchant.name])
