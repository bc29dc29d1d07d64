import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { CsvError, type Options, parse as parseStream } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { isClientError } from '../domain/errors.ts'
import { CliError } from './cli-error.ts'

// CSV files as RFC 4180 describes them, with or without a byte order mark. Empty rows are left out.

/** Row of a CSV file. */
export interface CsvRow {
  /** Line on which the row ends, from 1 on. */
  readonly line: number
  readonly fields: readonly string[]
}

const OPTIONS = {
  bom: true,
  trim: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
} satisfies Options

/** A longer row has an open quote. */
const MAX_ROW_BYTES = 1_000_000

/** Parses a CSV text. */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  try {
    parse(text, {
      ...OPTIONS,
      on_record: (fields: string[], { lines }) => void rows.push({ line: lines, fields }),
    })
  } catch (error) {
    throw csvFailure(error)
  }
  return rows
}

/** Reads a CSV file row by row. */
export async function* readCsv(file: string): AsyncGenerator<CsvRow> {
  const parser = parseStream({ ...OPTIONS, info: true, max_record_size: MAX_ROW_BYTES })
  // The loop below gets the errors of both streams.
  pipeline(createReadStream(file), parser, () => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>)
      yield { line: info.lines, fields: record }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw unreadable(file, error)
    throw csvFailure(error)
  }
}

interface ParsedRow {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

const csvFailure = (error: unknown): unknown =>
  error instanceof CsvError ? new CliError(`The file is not valid CSV: ${error.message}`) : error

export const unreadable = (file: string, error: unknown): CliError =>
  new CliError(`cannot read ${file}: ${(error as Error).message}`)

/** Row of an import that was left out. */
export interface RejectedRow {
  readonly line: number
  readonly reason: string
}

/** Result of an import of a CSV file. */
export interface ImportResult {
  /** Number of rows that were imported, or would be. */
  readonly accepted: number
  readonly rejected: readonly RejectedRow[]
}

/** Reason why a row is left out. */
export class BadRow extends Error {}

/** Returns the reason for a bad row. Rethrows errors that are not about the row. */
export function rejectionOf(error: unknown): string {
  if (error instanceof BadRow) return error.message
  if (!isClientError(error)) throw error
  const [problem] = Array.isArray(error.detail) ? error.detail : []
  return problem ? `${problem.path.replace('input.', '')}: ${error.message}` : error.message
}

/** Throws unless the header of a file has known columns, each once. */
export function requireKnownColumns(
  file: string,
  columns: readonly string[],
  known: readonly string[],
): void {
  const unknown = columns.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new CliError(`${file} has unknown columns: ${unknown.join(', ')}. See --help`)
  if (new Set(columns).size < columns.length) throw new CliError(`${file} has a column twice`)
}

/** Returns a function that returns the field of a column. Throws unless the row has a field for each column. */
export function cellsOf<Column extends string>(
  columns: readonly string[],
  { fields }: CsvRow,
): (name: Column) => string {
  if (fields.length !== columns.length)
    throw new BadRow(`The row has ${fields.length} fields, but there are ${columns.length} columns.`)
  return (name) => fields[columns.indexOf(name)] ?? ''
}

/** Returns the number in a field; null if the field is empty. */
export function numberIn(name: string, text: string): number | null {
  if (text === '') return null
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new BadRow(`${name}: Give a number such as 378.5.`)
}
