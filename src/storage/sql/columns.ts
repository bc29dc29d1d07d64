import { Column, type ColumnOptions, Index, PrimaryColumn } from 'typeorm'

/**
 * The column types that MySQL and SQLite share. A column marked `hidden` is bookkeeping of the write side and no
 * read selects it.
 */
interface Options {
  readonly nullable?: boolean
  readonly hidden?: boolean
}

const column =
  (options: ColumnOptions) =>
  ({ nullable = false, hidden = false }: Options = {}): PropertyDecorator =>
    Column({ ...options, nullable, select: !hidden })

/** A prefixed ULID, or another word of ASCII letters. */
export const IdColumn = column({ type: 'varchar', length: 48 })
export const TextColumn = column({ type: 'varchar', length: 255 })
/** Milliseconds since 1970. */
export const InstantColumn = column({ type: 'bigint' })
export const NumberColumn = column({ type: 'double' })
/** Text of any length. */
export const LongTextColumn = column({ type: 'text' })
export const JsonColumn = column({ type: 'simple-json' })

export const KeyColumn = (): PropertyDecorator => PrimaryColumn({ type: 'varchar', length: 48 })
export const InstantKeyColumn = (): PropertyDecorator => PrimaryColumn({ type: 'bigint' })

/** The indexes that migrations make for a table, each by its columns in order: what its reads may rely on. */
export const Indexes =
  (...keys: readonly (readonly string[])[]): ClassDecorator =>
  (entity) => {
    for (const key of keys) Index([...key])(entity)
  }

export const Unique =
  (...key: readonly string[]): ClassDecorator =>
  (entity) =>
    Index([...key], { unique: true })(entity)
