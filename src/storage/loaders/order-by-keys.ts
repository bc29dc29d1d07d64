/** Sorts rows into the order of the keys; null for a key without a row. */
export function orderByKeys<Key, Row>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.map((key) => byKey.get(key) ?? null)
}

/** Groups rows by key, in the order of the keys. */
export function groupByKeys<Key, Row>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): Row[][] {
  const groups = new Map<Key, Row[]>(keys.map((key) => [key, []]))
  for (const row of rows) groups.get(keyOf(row))?.push(row)
  return keys.map((key) => groups.get(key) ?? [])
}

export const placeholders = (count: number): string => Array(count).fill('?').join(', ')
