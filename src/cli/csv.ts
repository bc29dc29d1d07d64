import { CliError } from './cli-error.ts'

/** Row of a CSV file. */
export interface CsvRow {
  /** Line on which the row begins, from 1 on. */
  readonly line: number
  readonly fields: readonly string[]
}

/** A field in quotes or without, and the comma or the line break after it. */
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|(?!")([^,\r\n]*))(,|\r?\n)/y

/** Parses CSV as RFC 4180 describes it, with or without a byte order mark. Leaves out empty lines. */
export function parseCsv(text: string): CsvRow[] {
  const content = `${text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '')}\n`
  const rows: CsvRow[] = []
  let fields: string[] = []
  let line = 1
  let firstLine = 1
  for (let at = 0; at < content.length; at = FIELD.lastIndex) {
    FIELD.lastIndex = at
    const match = FIELD.exec(content)
    if (!match) throw new CliError(`line ${line}: the quotes of a field do not match`)
    const [whole, quoted, plain = '', end] = match
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    line += whole.split('\n').length - 1
    if (end === ',') continue
    if (fields.some((field) => field !== '')) rows.push({ line: firstLine, fields })
    fields = []
    firstLine = line
  }
  return rows
}
