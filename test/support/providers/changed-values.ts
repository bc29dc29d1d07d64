import type { Rows } from '../../../src/storage/database.ts'

/** Place of a value in a JSON document. */
export type Path = readonly (string | number)[]

/** Returns the paths of the values of a JSON document that are neither objects nor lists. */
export function scalarsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) => scalarsIn(member, [...path, name]))
}

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((at, name) => (at as Record<string, unknown>)[name], value)

/** Returns a copy of a JSON document with another value at a path. */
export function changedAt(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to
  const copy = structuredClone(value) as Record<string, unknown>
  copy[name] = changedAt(copy[name], rest, to)
  return copy
}

/** Returns a path without the positions of lists: the same for every item. */
export const withoutIndex = (path: Path): string =>
  path.filter((name) => !/^\d+$/.test(String(name))).join('.')

/**
 * Names of values that identify a record, its owner or its kind. A change of such a value makes
 * another record.
 */
export const IDENTIFIES =
  /(^|\.|_)(ids?|deviceId|driverId|groupId|spnId|code|version|type|status|lamp)$|Id$|eventRecordStatus/i

/** Whether a function returns: an adapter throws on a record that it cannot map. */
export function returns(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Returns the stored raw records by schema, in the order of their texts: their ids are random. */
export async function rawRecordsBySchema(db: Rows): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const texts = new Map<string, string[]>()
  for (const table of ['raw_records', 'raw_points'])
    for (const { schemaName, data } of await db.rows<{ schemaName: string; data: unknown }>(
      `SELECT \`schemaName\`, \`data\` FROM \`${table}\``,
    )) {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      texts.set(schemaName, [...(texts.get(schemaName) ?? []), text])
    }
  return new Map(
    [...texts].map(([schema, all]) => [schema, all.toSorted().map((text) => JSON.parse(text) as unknown)]),
  )
}
