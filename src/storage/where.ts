import type { Id } from '../ids.ts'
import { placeholders } from './in-order.ts'

/** Whose rows a query may see: an application's, or those of one of its connections. */
export interface Tenant {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'> | null
}

/** A condition and its parameters. Every read starts from `mine`. */
export interface Where {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** The tenant condition: a row of another application or connection does not exist. */
export function mine({ applicationId, connectionId }: Tenant): Where {
  return connectionId === null
    ? { sql: '`applicationId` = ?', parameters: [applicationId] }
    : { sql: '`applicationId` = ? AND `connectionId` = ?', parameters: [applicationId, connectionId] }
}

/** By which column a tenant's rows are found. */
export const ownerOf = ({ connectionId }: Tenant): 'applicationId' | 'connectionId' =>
  connectionId === null ? 'applicationId' : 'connectionId'

/** The index in which the records of an owner stand in an order; an application's stand by id in the table itself. */
export function indexOf(
  owner: 'applicationId' | 'connectionId',
  order: readonly string[],
): readonly string[] | undefined {
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
