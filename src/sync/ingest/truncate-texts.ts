/**
 * Truncates the texts of a row to the lengths of their columns, but not within a character. The raw record keeps the
 * whole text. Returns the same row if all texts fit.
 */
export function truncateTexts<Row extends object>(row: Row, lengths: ReadonlyMap<string, number>): Row {
  const texts = row as Readonly<Record<string, unknown>>
  let truncated: Record<string, unknown> | undefined
  for (const [column, maxLength] of lengths) {
    const text = texts[column]
    if (typeof text !== 'string' || text.length <= maxLength) continue
    truncated ??= { ...row } as Record<string, unknown>
    truncated[column] = truncate(text, maxLength)
  }
  return (truncated ?? row) as Row
}

/** The length of a column is in code points. A slice of UTF-16 units could end within one. */
const truncate = (text: string, maxLength: number): string => Array.from(text).slice(0, maxLength).join('')
