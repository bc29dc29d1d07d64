import { onlyConnectionOf, type Tenant } from '../../domain/tenant-scope.ts'
import { placeholders } from '../loaders/order-by-keys.ts'

export type { Tenant } from '../../domain/tenant-scope.ts'

/** SQL condition with its parameters. The condition of every read for a caller starts with `tenantWhere`. */
export interface Where {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Tenant condition: rows of other applications and connections are invisible. */
export function tenantWhere({ applicationId, connectionIds }: Tenant): Where {
  const ofApplication: Where = { sql: '`applicationId` = ?', parameters: [applicationId] }
  if (connectionIds === null) return ofApplication
  const [connectionId, ...further] = connectionIds
  return and(
    ofApplication,
    further.length === 0 ? equal('connectionId', connectionId ?? '') : oneOf('connectionId', connectionIds),
  )
}

/** Whether a row in memory meets the tenant condition. */
export const isInTenant = (
  { applicationId, connectionIds }: Tenant,
  row: { readonly applicationId: string; readonly connectionId: string },
): boolean => row.applicationId === applicationId && (connectionIds?.includes(row.connectionId) ?? true)

type TenantColumn = 'applicationId' | 'connectionId'

/** Returns the column with which one value selects all rows of a tenant; null for a tenant of several connections. */
export function tenantColumnOf(tenant: Tenant): TenantColumn | null {
  if (tenant.connectionIds === null) return 'applicationId'
  return onlyConnectionOf(tenant) === null ? null : 'connectionId'
}

/**
 * Returns the columns of the index that has the records of one connection or application in an order. Undefined leaves
 * the choice to the database: for several connections, and for an application by id, which is the order of the primary
 * key.
 */
export function indexOf(
  tenantColumn: TenantColumn | null,
  order: readonly string[],
): readonly string[] | undefined {
  if (tenantColumn === null) return undefined
  if (order[0] !== 'id') return [tenantColumn, ...order]
  return tenantColumn === 'connectionId' ? ['applicationId', 'connectionId', 'id'] : undefined
}

/** Combines conditions with AND; null conditions are skipped. */
export function and(where: Where, ...conditions: readonly (Where | null)[]): Where {
  const required = [where, ...conditions.filter((condition) => condition !== null)]
  return {
    sql: required.map(({ sql }) => sql).join(' AND '),
    parameters: required.flatMap(({ parameters }) => parameters),
  }
}

type Absent = null | undefined

/** Combines conditions with OR; null conditions are skipped. Null if all are. */
export function either(...conditions: readonly (Where | null)[]): Where | null {
  const alternatives = conditions.filter((condition) => condition !== null)
  if (alternatives.length === 0) return null
  return {
    sql: `(${alternatives.map(({ sql }) => `(${sql})`).join(' OR ')})`,
    parameters: alternatives.flatMap(({ parameters }) => parameters),
  }
}

export const equal = (column: string, value: string | number | Absent): Where | null =>
  value == null ? null : { sql: `\`${column}\` = ?`, parameters: [value] }

/** Compares text that callers choose, trailing spaces included: MySQL and MariaDB ignore them in `=`. */
export const equalText = (column: string, value: string | Absent): Where | null =>
  value == null
    ? null
    : { sql: `\`${column}\` = ? AND HEX(\`${column}\`) = HEX(?)`, parameters: [value, value] }

export const atLeast = (column: string, value: number | string | Absent): Where | null =>
  value == null ? null : { sql: `\`${column}\` >= ?`, parameters: [value] }

export const atMost = (column: string, value: number | string | Absent): Where | null =>
  value == null ? null : { sql: `\`${column}\` <= ?`, parameters: [value] }

export const before = (column: string, value: number | Absent): Where | null =>
  value == null ? null : { sql: `\`${column}\` < ?`, parameters: [value] }

export function oneOf(column: string, values: readonly (string | number)[] | Absent): Where | null {
  if (values == null) return null
  if (values.length === 0) return { sql: '1 = 0', parameters: [] }
  return { sql: `\`${column}\` IN (${placeholders(values.length)})`, parameters: values }
}
