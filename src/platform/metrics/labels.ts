/** Limits the number of label values: after `max` distinct values, all others become `other`. */
export function capLabels(max: number): (value: string) => string {
  const values = new Set<string>()
  return (value) => {
    if (values.has(value)) return value
    if (values.size >= max) return 'other'
    values.add(value)
    return value
  }
}

/** Returns the kind of a statement from its first word. */
export function statementKind(sql: string): string {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? ''
  return STATEMENTS.has(word) ? word : 'other'
}

const STATEMENTS = new Set(['select', 'insert', 'update', 'delete'])
