import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CsvError, type Options, parse } from 'csv-parse'
import { isClientError } from '../domain/errors.ts'
import { CliError } from './cli-error.ts'
import type { Cells } from './output.ts'

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

/** A CSV file that was read. */
interface CsvFile {
  /** What errors call the file. */
  readonly name: string
  readonly content: Buffer
}

/** Reads a file once, so that it can be a pipe. `-` is standard input. Throws unless it is UTF-8. */
export async function readCsvFile(file: string): Promise<CsvFile> {
  const isInput = file === '-'
  const name = isInput ? 'standard input' : file
  const content = isInput ? await buffer(process.stdin) : await contentOf(file)
  if (!isUtf8(content)) throw new CliError(`${name} is not UTF-8: save it as CSV UTF-8. Nothing was changed`)
  return { name, content }
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${(error as Error).message}`)
  }
}

/** Parses the content of a CSV file row by row. */
export async function* parseCsv(content: Buffer): AsyncGenerator<CsvRow> {
  const parser = parse({ ...OPTIONS, info: true, max_record_size: MAX_ROW_BYTES })
  // The loop below gets the errors of the parser.
  pipeline(Readable.from(chunksOf(content)), parser, () => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>)
      yield { line: info.lines, fields: record }
  } catch (error) {
    throw error instanceof CsvError ? new CliError(csvProblem(error)) : error
  }
}

/** Describes a syntax error without its text, which may be a card number. */
function csvProblem({ code, lines }: CsvError): string {
  const problem = code.slice('CSV_'.length).toLowerCase().replaceAll('_', ' ')
  return `The file is not valid CSV: ${problem} on line ${String(lines)}. Put a field with quotes between quotes, and double those in it`
}

const CHUNK_BYTES = 65_536

function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let from = 0; from < content.length; from += CHUNK_BYTES)
    yield content.subarray(from, from + CHUNK_BYTES)
}

interface ParsedRow {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/** Returns a line of a CSV file. A text that a spreadsheet would read as a formula, and not as a number, gets an apostrophe. */
export const csvLine = (fields: readonly unknown[]): string => `${fields.map(csvField).join(',')}\n`

function csvField(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text)
  const shown = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

const NUMBER = /^-?\d+(\.\d+)?$/

/** Row of an import that was left out: its `line`, its key such as `siteId`, and the `reason`. */
export type RejectedRow = Cells

/** Result of an import of a CSV file. */
export interface ImportResult {
  /** Number of rows that were imported, or would be. */
  readonly accepted: number
  readonly rejected: readonly RejectedRow[]
}

/** Reason why a row is left out. */
export class BadRow extends Error {}

/** Describes a bad row by its key column and its error. Rethrows errors that are not about the row. */
export const rejectedRow = (
  columns: readonly string[],
  { line, fields }: CsvRow,
  key: string,
  error: unknown,
): RejectedRow => ({ line, [key]: fields[columns.indexOf(key)] ?? '', reason: reasonOfBadRow(error) })

/** Returns why a row is left out. Rethrows errors that are not about the row. */
export function reasonOfBadRow(error: unknown): string {
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
  if (columns.length === 0) throw new CliError(`${file} is empty`)
  const unknown = columns.filter((name) => !known.includes(name))
  requireCommas(file, unknown)
  if (unknown.length > 0) {
    const names = unknown.map((name) => withRightSpelling(name, known))
    throw new CliError(`${file} has unknown columns: ${names.join(', ')}. See --help`)
  }
  if (new Set(columns).size < columns.length) throw new CliError(`${file} has a column twice`)
}

export function requireCommas(file: string, columns: readonly string[]): void {
  if (columns.some((name) => /[;\t]/.test(name)))
    throw new CliError(`${file} has semicolons or tabs in its header. Separate the columns with commas`)
}

/** Returns the name of an unknown column. If only its case or separators are wrong, it names the right one. */
function withRightSpelling(name: string, known: readonly string[]): string {
  const right = known.find((column) => lettersOfColumn(column) === lettersOfColumn(name))
  return right === undefined ? name : `${name} (write ${right})`
}

export const lettersOfColumn = (name: string): string => name.toLowerCase().replaceAll(/[ _-]/g, '')

export const noRowsIn = (file: string): CliError => new CliError(`${file} has no rows after its header`)

/** Returns a function that returns the field of a column. Throws unless the row has a field for each column. */
export function cellsOf<Column extends string>(
  columns: readonly string[],
  { fields }: CsvRow,
): (name: Column) => string {
  if (fields.length !== columns.length)
    throw new BadRow(`The row has ${fields.length} fields, but there are ${columns.length} columns.`)
  return (name) => fields[columns.indexOf(name)] ?? ''
}

/** Returns the number in a field; null if the field is empty. The error for another text has the example. */
export function numberIn(name: string, text: string, example: number): number | null {
  if (text === '') return null
  if (NUMBER.test(text)) return Number(text)
  throw new BadRow(`${name}: Give a number such as ${example}.`)
}
