/** Output of a command: tables and records for people, JSON for programs. */
export interface Output {
  readonly json: boolean
  list(rows: readonly Cells[]): void
  one(record: Cells): void
  /** Prints a remark or progress for people to standard error. */
  say(text: string): void
}

/** A row: the value of each column by its name. */
export type Cells = Readonly<Record<string, unknown>>

export const output = (json: boolean): Output => ({
  json,
  list(rows) {
    if (json) printJson(rows)
    else process.stdout.write(rows.length === 0 ? 'none\n' : formatTable(rows))
  },
  one(record) {
    if (json) printJson(record)
    else process.stdout.write(recordOf(record))
  },
  say: (text) => void process.stderr.write(`${escapeControls(text)}\n`),
})

const printJson = (value: unknown) => void process.stdout.write(`${toJson(value, 2)}\n`)

/** Formats JSON in which all control characters are escaped. `JSON.stringify` leaves those from U+007F on. */
export const toJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replaceAll(/[\x7f-\x9f]/g, escapeControl)

/** Escapes control characters and line breaks as JSON does: stored texts must not control the terminal. */
export const escapeControls = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, escapeControl)

const SHORT_ESCAPES: Readonly<Partial<Record<string, string>>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escapeControl = (character: string): string =>
  SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Returns a count with its share of a total, such as `43 (6.8 %)`. */
export const withShare = (count: number, total: number): string =>
  count === 0 || total === 0 ? String(count) : `${count} (${Math.round((1000 * count) / total) / 10} %)`

/** Formats rows under headings. Each column is as wide as its widest cell. */
export function formatTable(rows: readonly Cells[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [names.map(heading), ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

function recordOf(record: Cells): string {
  const width = Math.max(...Object.keys(record).map((name) => heading(name).length))
  return Object.entries(record)
    .map(([name, value]) =>
      isRows(value)
        ? `\n${heading(name)}\n${value.length === 0 ? 'none\n' : formatTable(value)}`
        : `${heading(name).padEnd(width)}  ${cell(value)}\n`,
    )
    .join('')
}

const isRows = (value: unknown): value is readonly Cells[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)

/** Returns the heading of a column: `lastSyncAt` becomes LAST SYNC AT. */
const heading = (name: string): string => name.replaceAll(/[A-Z]/g, ' $&').toUpperCase()

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  return escapeControls(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
