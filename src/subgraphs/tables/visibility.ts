import type { Rows } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, tenantWhere, oneOf, type Tenant, type Where } from '../../storage/sql/where.ts'
import {
  FilteredConnection,
  type ConnectionFilters,
  type FilteredKind,
  type RecordFilter,
} from './filtered-connection.ts'

/** Filters by connection id, only of connections that have filters. */
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
 * Returns why a filter hides a record; null if it does not. An include list decides alone. Otherwise the status and then
 * the exclude list decide. Reads apply the filters, so new filters have an effect at once.
 */
export function hiddenReason(
  { status, includeIds, excludeIds }: RecordFilter,
  record: { readonly id: string; readonly status: string },
): HiddenReason | null {
  if (includeIds?.length) return includeIds.includes(record.id) ? null : 'hidden_by_include_list'
  if (status && record.status !== status) return 'hidden_by_status'
  return excludeIds?.includes(record.id) ? 'hidden_by_exclude_list' : null
}

/** Returns the condition for visible rows. Deleted rows always pass it. Null if no filter applies. */
export function visibleWhere(filters: FiltersByConnection, kind: FilteredKind): Where | null {
  const conditions = [...filters].flatMap(([connectionId, filter]) => {
    const condition = filter[kind] ? visibleByFilter(filter[kind]) : null
    return condition ? [visibleInConnection(connectionId, condition)] : []
  })
  const [first, ...rest] = conditions
  return first ? and(first, ...rest) : null
}

const visibleInConnection = (connectionId: string, { sql, parameters }: Where): Where => ({
  sql: `(\`connectionId\` <> ? OR \`deletedAt\` IS NOT NULL OR (${sql}))`,
  parameters: [connectionId, ...parameters],
})

function visibleByFilter({ status, includeIds, excludeIds }: RecordFilter): Where | null {
  if (includeIds?.length) return oneOf('id', includeIds)
  const excluded = excludeIds?.length ? oneOf('id', excludeIds) : null
  const conditions = [
    status ? { sql: '`status` = ?', parameters: [status] } : null,
    excluded && { sql: `NOT (${excluded.sql})`, parameters: excluded.parameters },
  ].filter((condition) => condition !== null)
  const [first, ...rest] = conditions
  return first ? and(first, ...rest) : null
}
