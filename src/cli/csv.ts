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
  try {
    const rows = parse(text, {
      bom: true,
      info: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as readonly { readonly record: string[]; readonly info: { readonly lines: number } }[]
    return rows.map(({ record, info }) => ({ line: info.lines, fields: record }))
  } catch (error) {
    if (error instanceof CsvError) throw new CliError(`The file is not valid CSV: ${error.message}`)
    throw error
  }
}
