/** Keeps the values of a label few: those that are not among the first so many are one. */
export function capLabels(most: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= most) return 'other'
    known.add(value)
    return value
  }
}

/** What a statement does, by its first word. */
export function statementKind(sql: string): string {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? ''
  return STATEMENTS.has(word) ? word : 'other'
}

const STATEMENTS = new Set(['select', 'insert', 'update', 'delete'])
