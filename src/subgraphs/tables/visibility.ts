import type { Rows } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, either, tenantWhere, oneOf, type Tenant, type Where } from '../../storage/sql/where.ts'
import {
  FilteredConnection,
  type ConnectionFilters,
  type FilteredKind,
  type RecordFilter,
} from './filtered-connection.ts'

/** The filters of each connection, by connection id. A connection without filters has no entry. */
export type FiltersByConnection = ReadonlyMap<string, ConnectionFilters>

const table = tableOf(FilteredConnection)

/** Loads the filters of the connections in a tenant scope. */
export async function filtersOf(db: Rows, tenant: Tenant): Promise<FiltersByConnection> {
  const where = and(tenantWhere(tenant), { sql: '`hasFilters` = 1', parameters: [] })
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE ${where.sql}`,
    where.parameters,
  )
  return new Map(rows.map((row) => table.toRow(row)).map(({ id, filters }) => [id, filters]))
}

export type HiddenReason = 'hidden_by_include_list' | 'hidden_by_status' | 'hidden_by_exclude_list'

/**
 * Returns why a filter hides a record, or null if the record is visible. With an include list, the filter ignores the
 * status and the exclude list. Each read applies the current filters, so a change of filters applies at once.
 */
export function hiddenReason(filter: RecordFilter, record: FilterableRecord): HiddenReason | null {
  const { included, excluded } = idSetsOf(filter)
  if (included.size > 0) return included.has(record.id) ? null : 'hidden_by_include_list'
  if (filter.status && record.status !== filter.status) return 'hidden_by_status'
  return excluded.has(record.id) ? 'hidden_by_exclude_list' : null
}

interface FilterableRecord {
  readonly id: string
  readonly status: string
}

interface IdSets {
  readonly included: ReadonlySet<string>
  readonly excluded: ReadonlySet<string>
}

const idSets = new WeakMap<RecordFilter, IdSets>()

/** Returns the lists of a filter as sets: a filter with 10,000 ids is applied to each record of a page. */
function idSetsOf(filter: RecordFilter): IdSets {
  const known = idSets.get(filter)
  if (known) return known
  const sets = { included: new Set(filter.includeIds), excluded: new Set(filter.excludeIds) }
  idSets.set(filter, sets)
  return sets
}

/** Whether any possible record is hidden by the first filter and visible with the second. */
export function isLoosened(before: RecordFilter | null, after: RecordFilter | null): boolean {
  if (!before) return false
  const listed = [before, after].flatMap((filter) => [
    ...(filter?.includeIds ?? []),
    ...(filter?.excludeIds ?? []),
  ])
  // The empty id stands for every record that no list names.
  return ['', ...listed].some((id) =>
    ['active', 'inactive'].some((status) => {
      const record = { id, status }
      return hiddenReason(before, record) !== null && (!after || hiddenReason(after, record) === null)
    }),
  )
}

/**
 * Returns the condition for visible rows, or null if no filter applies. Deleted rows always pass: a list with
 * `deleted: true` contains them regardless of the filters.
 */
export function visibleWhere(filtersByConnection: FiltersByConnection, kind: FilteredKind): Where | null {
  const conditions = [...filtersByConnection].flatMap(([connectionId, filters]) => {
    const filter = filters[kind]
    const hidden = filter ? hiddenWhere(filter, 'id', hasOtherStatus) : null
    return hidden ? [visibleInConnection(connectionId, hidden)] : []
  })
  const [first, ...rest] = conditions
  return first ? and(first, ...rest) : null
}

const hasOtherStatus = (status: string): Where => ({ sql: '`status` <> ?', parameters: [status] })

const visibleInConnection = (connectionId: string, hidden: Where): Where => ({
  sql: `(\`connectionId\` <> ? OR \`deletedAt\` IS NOT NULL OR NOT ${hidden.sql})`,
  parameters: [connectionId, ...hidden.parameters],
})

/**
 * Returns the condition for the ids in a column that a filter hides, or null if it hides none. It decides as
 * `hiddenReason` does. `otherStatus` returns the condition for records with another status.
 */
export function hiddenWhere(
  { status, includeIds, excludeIds }: RecordFilter,
  column: string,
  otherStatus: (status: string) => Where,
): Where | null {
  const included = includeIds?.length ? oneOf(column, includeIds) : null
  if (included) return { sql: `(NOT ${included.sql})`, parameters: included.parameters }
  return either(status ? otherStatus(status) : null, excludeIds?.length ? oneOf(column, excludeIds) : null)
}
