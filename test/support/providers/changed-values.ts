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
 * Names of values that identify a record, its owner or its kind. A record with another one is another record.
 */
export const IDENTIFIES =
  /(^|\.|_)(ids?|deviceId|driverId|groupId|spnId|code|version|type|status|lamp)$|Id$|eventRecordStatus/i
