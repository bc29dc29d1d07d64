import { isObject } from '../../../src/platform/is-object.ts'
import { type Path, valueAt } from './changed-values.ts'

/** Integer whose last digits change when JSON is parsed. */
const HUGE = Number('12345678901234567')
export const ROUNDED = String(HUGE)

/** Text that is no number, time, boolean or known word. */
export const ODD_TEXT = 'odd text'

/** Returns the odd values of a member. An odd value has another type than the member, or is out of its range. */
export function oddValuesOf(value: unknown): unknown[] {
  const all: unknown[] = [[], { odd: true }, [[{}]], ODD_TEXT, HUGE, true]
  return all.filter((odd) => typesOf(odd) !== typesOf(value) || odd === ODD_TEXT || odd === HUGE)
}

const typesOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)

/** Maximum number of records of a list whose members are changed. No two of them have the same members. */
const RECORDS_PER_LIST = 3

/** Returns the paths of the members of the records in a response. */
export function membersIn(response: unknown): Path[] {
  return recordsIn(response, []).flatMap((record) => membersBelow(valueAt(response, record), record))
}

function recordsIn(value: unknown, path: Path): Path[] {
  if (Array.isArray(value))
    return differentItemsOf(value).flatMap((index) =>
      isObject(value[index]) ? [[...path, index]] : recordsIn(value[index], [...path, index]),
    )
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => recordsIn(member, [...path, name]))
}

/** Indexes of the first items with different members. */
function differentItemsOf(list: readonly unknown[]): number[] {
  const indexes = new Map<string, number>()
  for (const [index, item] of list.entries())
    if (!indexes.has(shapeOf(item))) indexes.set(shapeOf(item), index)
  return [...indexes.values()].slice(0, RECORDS_PER_LIST)
}

const shapeOf = (item: unknown): string => {
  if (!isObject(item)) return item === null ? 'null' : typeof item
  return JSON.stringify(Object.entries(item).map(([name, member]) => [name, shapeOf(member)]))
}

function membersBelow(value: unknown, path: Path): Path[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => membersBelow(item, [...path, 0]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name]
    return [at, ...membersBelow(member, at)]
  })
}
