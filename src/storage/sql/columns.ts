import { Column, type ColumnOptions, Index, PrimaryColumn } from 'typeorm'

/** Column types that MySQL and SQLite share. */

interface Options {
  readonly nullable?: boolean
  /** Excludes the column from `Table.selected`. Code that needs the column selects it by name. */
  readonly hidden?: boolean
}

const column =
  (options: ColumnOptions) =>
  ({ nullable = false, hidden = false }: Options = {}): PropertyDecorator =>
    Column({ ...options, nullable, select: !hidden })

/** Prefixed ULID, or another short ASCII text. */
export const IdColumn = column({ type: 'varchar', length: 48 })
export const TextColumn = column({ type: 'varchar', length: 255 })
/** Milliseconds since 1970. */
export const InstantColumn = column({ type: 'bigint' })
/** Position in an event log. */
export const PositionColumn = column({ type: 'bigint' })
export const NumberColumn = column({ type: 'double' })
/** Text of any length. */
export const LongTextColumn = column({ type: 'text' })
export const JsonColumn = column({ type: 'simple-json' })

export const KeyColumn = (): PropertyDecorator => PrimaryColumn({ type: 'varchar', length: 48 })
export const InstantKeyColumn = (): PropertyDecorator => PrimaryColumn({ type: 'bigint' })

/** Declares the indexes of a table, each with its columns in order. Migrations create them; reads rely on them. */
export const Indexes =
  (...keys: readonly (readonly string[])[]): ClassDecorator =>
  (entity) => {
    for (const key of keys) Index([...key])(entity)
  }

export const Unique =
  (...key: readonly string[]): ClassDecorator =>
  (entity) =>
    Index([...key], { unique: true })(entity)
