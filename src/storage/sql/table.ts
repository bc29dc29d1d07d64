import { getMetadataArgsStorage } from 'typeorm'

/** What SQL needs to know of an entity, read off its decorators. */
export interface Table<Row> {
  readonly name: string
  /** Every column that is written, bookkeeping included. */
  readonly columns: readonly (keyof Row & string)[]
  readonly primaryKey: readonly string[]
  readonly nullable: ReadonlySet<string>
  /** The most characters that a column of text holds. */
  readonly lengths: ReadonlyMap<string, number>
  /** The columns that reads select, as they stand in a SELECT. */
  readonly selected: string
  readonly selectedColumns: readonly string[]
  /** Turns what the driver gives into the row: the JSON columns are parsed in place. */
  toRow(raw: Record<string, unknown>): Row
  /** The values of a row in the order of `columns`, as the driver takes them. */
  toValues(row: Row): unknown[]
}

type EntityClass<Row> = abstract new () => Row

const tables = new Map<unknown, unknown>()

export function tableOf<Row extends object>(entity: EntityClass<Row>): Table<Row> {
  const known = tables.get(entity) as Table<Row> | undefined
  if (known) return known
  const table = describe(entity)
  tables.set(entity, table)
  return table
}

function describe<Row extends object>(entity: EntityClass<Row>): Table<Row> {
  const storage = getMetadataArgsStorage()
  const name = storage.tables.find((table) => table.target === entity)?.name
  if (!name) throw new Error(`${entity.name} is no entity`)
  const counted = storage.generations.filter(({ target }) => target === entity)
  const columns = storage.columns.filter(
    ({ target, propertyName }) =>
      lineage(entity).includes(target) && !counted.some((column) => column.propertyName === propertyName),
  )
  const names = columns.map((column) => column.propertyName)
  const json = columns
    .filter((column) => column.options.type === 'simple-json')
    .map((column) => column.propertyName)
  const jsonSet = new Set(json)
  const selectedColumns = columns
    .filter((column) => column.options.select !== false)
    .map((c) => c.propertyName)
  return {
    name,
    columns: names as (keyof Row & string)[],
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

/** The table as a read sees it that needs some columns only. */
export const tableWithColumns = <Row>(table: Table<Row>, columns: readonly string[]): Table<Row> => ({
  ...table,
  selected: quoted(columns),
  selectedColumns: columns,
})

/** A table as a read sees it that selects expressions, such as sums: each by the name that the row calls it. */
export function tableOfExpressions<Row extends object>(
  table: Pick<Table<unknown>, 'name' | 'nullable' | 'toRow'>,
  expressions: Readonly<Record<keyof Row & string, string>>,
): Table<Row> {
  const names = Object.keys(expressions) as (keyof Row & string)[]
  return {
    name: table.name,
    columns: names,
    primaryKey: [],
    nullable: table.nullable,
    lengths: new Map(),
    selected: names.map((name) => `${expressions[name]} AS \`${name}\``).join(', '),
    selectedColumns: names,
    toRow: (raw) => table.toRow(raw) as Row,
    toValues() {
      throw new Error(`rows of a view of ${table.name} are not stored`)
    },
  }
}

export const quoted = (columns: readonly string[]): string =>
  columns.map((column) => `\`${column}\``).join(', ')

function lineage(entity: unknown): unknown[] {
  const chain = []
  for (let at = entity; typeof at === 'function'; at = Object.getPrototypeOf(at)) chain.push(at)
  return chain
}
