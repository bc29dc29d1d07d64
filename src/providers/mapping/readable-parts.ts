import type { z } from 'zod'
import { isObject } from '../../platform/is-object.ts'
import { InvalidData, type InvalidPath, validate } from './validate.ts'

/** Result of a read that left out the unreadable parts of a record. */
export interface ReadableParts<Result> {
  readonly result: Result
  /** Names of the members that were left out. For an item of a list, the name of the list. */
  readonly unreadable: readonly string[]
}

/**
 * Reads a record without its unreadable parts. If the read finds an invalid member, the member becomes null and the
 * record is read again. If null is invalid too, the object around the member becomes null. An item of a list is removed
 * from the list. Throws the error of the read if the record itself cannot be read.
 */
export function readParts<Result>(record: unknown, read: (record: unknown) => Result): ReadableParts<Result> {
  const left: InvalidPath[] = []
  for (let current = record; ;) {
    try {
      return { result: read(current), unreadable: namesOf(left) }
    } catch (error) {
      const parts = error instanceof InvalidData ? partsAt(current, error.paths) : null
      if (!parts) throw error
      left.push(...parts)
      current = withoutParts(current, parts)
    }
  }
}

/** Validates a record without its unreadable parts. Throws if the record itself cannot be read. */
export const validateParts = <Shape extends z.ZodType>(shape: Shape, record: unknown): z.infer<Shape> =>
  readParts(record, (current) => validate(shape, current)).result

/** Parses a record without its unreadable parts. Null if the record itself cannot be read. */
export function parseParts<Shape extends z.ZodType>(shape: Shape, record: unknown): z.infer<Shape> | null {
  const { success, data } = shape.safeParse(record)
  if (success) return data
  try {
    return validateParts(shape, record)
  } catch (error) {
    if (error instanceof InvalidData) return null
    throw error
  }
}

/**
 * Returns the innermost part at each path that can be left out; null if one path has none. Items of lists come last,
 * because the removal of an item changes the paths of the items after it.
 */
function partsAt(record: unknown, paths: readonly InvalidPath[]): readonly InvalidPath[] | null {
  const parts = paths.map((path) => partAt(record, path))
  if (!parts.every((part) => part.length > 0)) return null
  const members = parts.filter((part) => typeof part.at(-1) !== 'number')
  return members.length > 0 ? members : parts
}

function partAt(record: unknown, path: InvalidPath): InvalidPath {
  const length = path.findLastIndex((key, at) => isRemovable(key, valueAt(record, path.slice(0, at + 1)))) + 1
  return path.slice(0, length)
}

/** Whether a part exists, and is not null already. */
const isRemovable = (key: PropertyKey, value: unknown): boolean =>
  value !== undefined && (value !== null || typeof key === 'number')

const valueAt = (record: unknown, path: InvalidPath): unknown =>
  path.reduce(
    (value, key) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key],
    record,
  )

/** Copies a value. The members at these paths, which begin at the value, become null, and list items are removed. */
function withoutParts(value: unknown, parts: readonly InvalidPath[]): unknown {
  if (parts.length === 0) return value
  const byKey = new Map<PropertyKey, InvalidPath[]>()
  for (const [key = '', ...rest] of parts) {
    const known = byKey.get(key)
    if (known) known.push(rest)
    else byKey.set(key, [rest])
  }
  const below = (key: PropertyKey) => byKey.get(key) ?? []
  const isPart = (inside: readonly InvalidPath[]) => inside.some((path) => path.length === 0)
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => {
      const inside = below(index)
      return isPart(inside) ? [] : [withoutParts(item, inside)]
    })
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inside = below(name)
      return [name, isPart(inside) ? null : withoutParts(member, inside)]
    }),
  )
}

/** Returns the names of the outermost parts, regardless of their positions in lists. */
function namesOf(parts: readonly InvalidPath[]): string[] {
  const keys = parts.map((part) =>
    JSON.stringify(part.map((key) => (typeof key === 'number' ? 0 : String(key)))),
  )
  const paths = new Set(keys)
  const isInside = (key: string) => {
    const path = JSON.parse(key) as readonly (string | number)[]
    return path.some((_, length) => length > 0 && paths.has(JSON.stringify(path.slice(0, length))))
  }
  const outermost = [...paths].filter((key) => !isInside(key))
  return [...new Set(outermost.map((key) => nameOf(JSON.parse(key) as InvalidPath)))]
}

const nameOf = (part: InvalidPath): string => String(part.findLast((key) => typeof key !== 'number') ?? '')
