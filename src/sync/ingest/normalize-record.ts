import type { RawRetainedModel } from '../../domain/record-models.ts'
import type { Instant } from '../../domain/time.ts'
import { InvalidData, type InvalidPath } from '../../providers/mapping/validate.ts'
import type { Reader } from '../../providers/provider.ts'
import { type FittedRecord, fitRecord } from './fit-record.ts'

export interface RecordMapping<Normalized> {
  readonly model: RawRetainedModel
  readonly reader: Pick<Reader<Normalized>, 'normalize'>
  /** A record that ends after this time counts as not ended yet. */
  readonly asOf: Instant
}

/**
 * Normalizes a record. If only items of its lists cannot be read, the record is kept without them, and their lists
 * count as misfits. Throws if more than that cannot be read.
 */
export function normalizeRecord<Normalized>(
  { model, reader, asOf }: RecordMapping<Normalized>,
  raw: unknown,
): FittedRecord<Normalized> {
  const normalize = (record: unknown) => fitRecord(model, reader.normalize(record, asOf))
  try {
    return normalize(raw)
  } catch (error) {
    const items = error instanceof InvalidData ? itemsAt(error.paths) : null
    if (!items) throw error
    const { normalized, misfits } = normalize(withoutItems(raw, items))
    return { normalized, misfits: [...misfits, ...items.map(listNameOf)] }
  }
}

/** Returns the paths of the innermost list items that contain the invalid values; null if a value is in no list. */
function itemsAt(paths: readonly InvalidPath[]): readonly InvalidPath[] | null {
  const items = paths.map((path) => path.slice(0, path.findLastIndex((key) => typeof key === 'number') + 1))
  return items.every((path) => path.length > 0) ? items : null
}

const listNameOf = (item: InvalidPath): string =>
  String(item.findLast((key) => typeof key !== 'number') ?? '')

/** Copies a value without the list items at these paths, which begin at the value. */
function withoutItems(value: unknown, items: readonly InvalidPath[]): unknown {
  if (items.length === 0 || typeof value !== 'object' || value === null) return value
  const below = (key: PropertyKey) => items.filter(([first]) => first === key).map((path) => path.slice(1))
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => {
      const inside = below(index)
      return inside.some((path) => path.length === 0) ? [] : [withoutItems(item, inside)]
    })
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutItems(member, below(name))]),
  )
}
