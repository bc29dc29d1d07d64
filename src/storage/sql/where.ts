import { onlyConnectionOf, type Tenant } from '../../domain/tenant-scope.ts'
import { placeholders } from '../loaders/order-by-keys.ts'

export type { Tenant } from '../../domain/tenant-scope.ts'

/** SQL condition with its parameters. Every read starts with `tenantWhere`. */
export interface Where {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Tenant condition: rows of other applications and connections are invisible. */
export function tenantWhere({ applicationId, connectionIds }: Tenant): Where {
  const ofApplication: Where = { sql: '`applicationId` = ?', parameters: [applicationId] }
  if (connectionIds === null) return ofApplication
  const [connectionId, ...others] = connectionIds
  return and(
    ofApplication,
    others.length === 0 ? equal('connectionId', connectionId ?? '') : oneOf('connectionId', connectionIds),
  )
}

/** Tenant condition for a row in memory. */
export const isInTenant = (
  { applicationId, connectionIds }: Tenant,
  row: { readonly applicationId: string; readonly connectionId: string },
): boolean => row.applicationId === applicationId && (connectionIds?.includes(row.connectionId) ?? true)

type Owner = 'applicationId' | 'connectionId'

/** Column that all rows of a tenant share; null for a tenant of several connections. */
export function ownerOf(tenant: Tenant): Owner | null {
  if (tenant.connectionIds === null) return 'applicationId'
  return onlyConnectionOf(tenant) === null ? null : 'connectionId'
}

/**
 * Index that has the records of an owner in an order. The primary key has the records of an application by id. Without
 * a single owner, the database chooses the index.
 */
export function indexOf(owner: Owner | null, order: readonly string[]): readonly string[] | undefined {
  if (owner === null) return undefined
  if (order[0] !== 'id') return [owner, ...order]
  return owner === 'connectionId' ? ['applicationId', 'connectionId', 'id'] : undefined
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

export const equal = (column: string, value: string | number | Absent): Where | null =>
  value == null ? null : { sql: `\`${column}\` = ?`, parameters: [value] }

/** Compares text that callers choose. MySQL and MariaDB ignore trailing spaces in `=`; SQLite does not. */
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
