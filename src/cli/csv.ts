import { CsvError, parse } from 'csv-parse/sync'
import { CliError } from './cli-error.ts'

/** Row of a CSV file. */
export interface CsvRow {
  /** Line on which the row ends, from 1 on. */
  readonly line: number
  readonly fields: readonly string[]
}

/** Parses CSV as RFC 4180 describes it, with or without a byte order mark. Leaves out empty rows. */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  try {
    parse(text, {
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (fields: string[], { lines }) => void rows.push({ line: lines, fields }),
    })
  } catch (error) {
    if (error instanceof CsvError) throw new CliError(`The file is not valid CSV: ${error.message}`)
    throw error
  }
  return rows
}
