import { onlyConnectionOf, type Tenant } from '../../domain/tenant-scope.ts'
import { placeholders } from '../loaders/order-by-keys.ts'

export type { Tenant } from '../../domain/tenant-scope.ts'

/** A condition and its parameters. Every read starts from `tenantWhere`. */
export interface Where {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** The tenant condition: a row of another application or connection does not exist. */
export function tenantWhere({ applicationId, connectionIds }: Tenant): Where {
  const its: Where = { sql: '`applicationId` = ?', parameters: [applicationId] }
  if (connectionIds === null) return its
  const [connectionId, ...others] = connectionIds
  return and(
    its,
    others.length === 0 ? equal('connectionId', connectionId ?? '') : oneOf('connectionId', connectionIds),
  )
}

/** The same of a row that is here already. */
export const isInTenant = (
  { applicationId, connectionIds }: Tenant,
  row: { readonly applicationId: string; readonly connectionId: string },
): boolean => row.applicationId === applicationId && (connectionIds?.includes(row.connectionId) ?? true)

type Owner = 'applicationId' | 'connectionId'

/** By which column a tenant's rows stand together; null where they are those of several connections. */
export function ownerOf(tenant: Tenant): Owner | null {
  if (tenant.connectionIds === null) return 'applicationId'
  return onlyConnectionOf(tenant) === null ? null : 'connectionId'
}

/**
 * The index in which the records of an owner stand in an order; an application's stand by id in the table itself.
 * Where there is no one owner the database chooses.
 */
export function indexOf(owner: Owner | null, order: readonly string[]): readonly string[] | undefined {
  if (owner === null) return undefined
  if (order[0] !== 'id') return [owner, ...order]
  return owner === 'connectionId' ? ['applicationId', 'connectionId', 'id'] : undefined
}

/** Adds conditions that all must hold; those whose value is null or undefined are not asked for. */
export function and(where: Where, ...conditions: readonly (Where | null)[]): Where {
  const asked = [where, ...conditions.filter((condition) => condition !== null)]
  return {
    sql: asked.map(({ sql }) => sql).join(' AND '),
    parameters: asked.flatMap(({ parameters }) => parameters),
  }
}

type Absent = null | undefined

export const equal = (column: string, value: string | number | Absent): Where | null =>
  value == null ? null : { sql: `\`${column}\` = ?`, parameters: [value] }

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
