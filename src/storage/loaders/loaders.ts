import type DataLoader from 'dataloader'
import type { CursorKey } from '../pagination/cursor.ts'
import type { Rows } from '../database.ts'
import { groupByKeys, orderByKeys } from './order-by-keys.ts'
import { createNamedLoader } from './batch-loader.ts'
import { type Page, type PageRequest, type ReadDatabase, readPages } from '../pagination/pagination.ts'
import type { ListQuery } from '../pagination/list-query.ts'
import type { Table } from '../sql/table.ts'
import { and, tenantWhere, oneOf, type Tenant, type Where } from '../sql/where.ts'

/**
 * DataLoaders of one request, bound to its caller. The keys that the resolvers of one query level load share a
 * statement.
 */

/** Number of ids that one statement loads. */
export const MAX_BATCH_SIZE = 1000

type Keyed = { readonly id: string }

/** Runs a read with the condition that its rows must meet, or with null. */
export type ConditionalRead = <Result>(read: (condition: Where | null) => Promise<Result>) => Promise<Result>

const unconditional: ConditionalRead = (read) => read(null)

/** Loads rows by id; null if the tenant has no such row. */
export function rowById<Row extends Keyed>(
  db: Rows,
  table: Table<Row>,
  tenant: Tenant,
  readBy: ConditionalRead = unconditional,
) {
  return createNamedLoader<string, Row | null>(
    `${table.name} by id`,
    async (ids) => {
      const rows = await readBy((condition) => rowsIn(db, table, tenant, 'id', ids, condition))
      return orderByKeys(ids, rows, (row) => row.id)
    },
    { maxBatchSize: MAX_BATCH_SIZE },
  )
}

/** Loads the rows with a value in a column, such as the devices of a vehicle. */
export function rowsByColumn<Row extends object>(
  db: Rows,
  table: Table<Row>,
  tenant: Tenant,
  column: keyof Row & string,
) {
  return createNamedLoader<string, Row[]>(
    `${table.name} by ${column}`,
    async (keys) =>
      groupByKeys(keys, await rowsIn(db, table, tenant, column, keys), (row) => String(row[column])),
    { maxBatchSize: MAX_BATCH_SIZE },
  )
}

/** Loads at most one row with a value in a column, such as the latest location of a vehicle. */
export function rowByColumn<Row extends object>(
  db: Rows,
  table: Table<Row>,
  tenant: Tenant,
  column: keyof Row & string,
  readBy: ConditionalRead = unconditional,
) {
  return createNamedLoader<string, Row | null>(
    `${table.name} by ${column}`,
    async (keys) => {
      const rows = await readBy((condition) => rowsIn(db, table, tenant, column, keys, condition))
      return orderByKeys(keys, rows, (row) => String(row[column]))
    },
    { maxBatchSize: MAX_BATCH_SIZE },
  )
}

async function rowsIn<Row>(
  db: Rows,
  table: Table<Row>,
  tenant: Tenant,
  column: string,
  keys: readonly string[],
  condition: Where | null = null,
) {
  const where = and(tenantWhere(tenant), oneOf(column, keys), condition)
  const order =
    table.selectedColumns.includes('id') && column !== 'id' ? ` ORDER BY \`${column}\`, \`id\`` : ''
  const raw = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE ${where.sql}${order}`,
    where.parameters,
  )
  return raw.map((row) => table.toRow(row))
}

/** Loads a page of the list of each parent. Parents with the same page of the same list share one statement. */
export function pagesByParent<Row>(db: ReadDatabase, cursorKey: CursorKey, parentColumn: keyof Row & string) {
  const pages = pagesByCondition<Row>(db, cursorKey)
  return (parent: string, list: ListQuery<Row>, request: PageRequest): Promise<Page<Row>> =>
    pages(parentBy(parentColumn, parent), list, request)
}

/** Parent of a list: a condition, such as the points of a trip, and a key that is unique per parent. */
export interface Parent {
  readonly key: string
  readonly where: Where
}

/** Returns the parent of the records that have its id in a column. */
export const parentBy = (column: string, id: string): Parent => ({
  key: id,
  where: { sql: `\`${column}\` = ?`, parameters: [id] },
})

/** Like `pagesByParent`, for parents that are any condition. */
export function pagesByCondition<Row>(db: ReadDatabase, cursorKey: CursorKey) {
  const loaders = new Map<string, DataLoader<Parent, Page<Row>, string>>()
  return (parent: Parent, list: ListQuery<Row>, request: PageRequest): Promise<Page<Row>> => {
    const { table, ...options } = list
    const key = JSON.stringify([table.name, table.selected, options, request])
    let loader = loaders.get(key)
    if (!loader) {
      loader = createNamedLoader<Parent, Page<Row>, string>(
        `${table.name} in pages`,
        (parents) => readPages(db, list, request, cursorKey, conditionsOf(parents)),
        { cacheKeyFn: ({ key }) => key },
      )
      loaders.set(key, loader)
    }
    return loader.load(parent)
  }
}

const conditionsOf = (parents: readonly Parent[]) => parents.map(({ where }) => where)
