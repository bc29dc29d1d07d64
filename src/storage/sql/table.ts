import { getMetadataArgsStorage } from 'typeorm'

/** Table of an entity, described by its decorators. */
export interface Table<Row> {
  readonly name: string
  /** Columns that an insert writes: all, hidden ones included, except generated ones. */
  readonly columns: readonly string[]
  readonly primaryKey: readonly string[]
  readonly nullable: ReadonlySet<string>
  /** Maximum length of text columns, in characters. */
  readonly lengths: ReadonlyMap<string, number>
  /** Quoted list of the columns that reads select. */
  readonly selected: string
  readonly selectedColumns: readonly string[]
  /** Converts a row of the database driver: parses the JSON columns in place. */
  toRow(raw: Record<string, unknown>): Row
  /** Returns the values of a row in the order of `columns`, for the database driver. */
  toValues(row: Row): unknown[]
}

type EntityClass<Row> = abstract new () => Row

const tables = new Map<unknown, unknown>()

export function tableOf<Row extends object>(entity: EntityClass<Row>): Table<Row> {
  const cached = tables.get(entity) as Table<Row> | undefined
  if (cached) return cached
  const table = describe(entity)
  tables.set(entity, table)
  return table
}

function describe<Row extends object>(entity: EntityClass<Row>): Table<Row> {
  const storage = getMetadataArgsStorage()
  const name = storage.tables.find((table) => table.target === entity)?.name
  if (!name) throw new Error(`${entity.name} is not an entity`)
  const generated = storage.generations.filter(({ target }) => target === entity)
  const columns = storage.columns.filter(
    ({ target, propertyName }) =>
      lineage(entity).includes(target) && !generated.some((column) => column.propertyName === propertyName),
  )
  const names = columns.map((column) => column.propertyName)
  const json = columns
    .filter((column) => column.options.type === 'simple-json')
    .map((column) => column.propertyName)
  const jsonSet = new Set(json)
  const selectedColumns = columns
    .filter((column) => column.options.select !== false)
    .map((column) => column.propertyName)
  return {
    name,
    columns: names,
    primaryKey: columns.filter((column) => column.options.primary).map((column) => column.propertyName),
    nullable: new Set(
      columns.filter((column) => column.options.nullable).map((column) => column.propertyName),
    ),
    lengths: new Map(
      columns.flatMap(({ propertyName, options: { length } }) =>
        length === undefined ? [] : [[propertyName, Number(length)] as const],
      ),
    ),
    selected: quoted(selectedColumns),
    selectedColumns,
    toRow(raw) {
      for (const column of json) {
        const value = raw[column]
        if (typeof value === 'string') raw[column] = JSON.parse(value)
      }
      return raw as Row
    },
    toValues: (row) =>
      names.map((column) => {
        const value = (row as Record<string, unknown>)[column]
        if (value === undefined || value === null) return null
        return jsonSet.has(column) ? JSON.stringify(value) : value
      }),
  }
}

/** Returns the table for a read that needs only some columns. */
export const tableWithColumns = <Row>(table: Table<Row>, columns: readonly string[]): Table<Row> => ({
  ...table,
  selected: quoted(columns),
  selectedColumns: columns,
})

/** Returns the table for a read of expressions, such as sums, each under the name of a column of the row. */
export function tableOfExpressions<Row extends object>(
  table: Pick<Table<unknown>, 'name' | 'nullable' | 'toRow'>,
  expressions: Readonly<Record<keyof Row & string, string>>,
): Table<Row> {
  const names = Object.keys(expressions)
  return {
    name: table.name,
    columns: names,
    primaryKey: [],
    nullable: table.nullable,
    lengths: new Map(),
    selected: names.map((name) => `${expressions[name as keyof Row & string]} AS \`${name}\``).join(', '),
    selectedColumns: names,
    toRow: (raw) => table.toRow(raw) as Row,
    toValues() {
      throw new Error(`rows of expressions over ${table.name} cannot be stored`)
    },
  }
}

export const quoted = (columns: readonly string[]): string =>
  columns.map((column) => `\`${column}\``).join(', ')

/** Returns a class and its base classes, whose columns it inherits. */
function lineage(entity: unknown): unknown[] {
  const chain = []
  for (let current = entity; typeof current === 'function'; current = Object.getPrototypeOf(current))
    chain.push(current)
  return chain
}
