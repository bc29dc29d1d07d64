import { Arg, ID } from 'type-graphql'
import type { Tenant } from '../../domain/tenant-scope.ts'
import { distinctIds } from './id-arguments.ts'

/** Value of the argument `connectionIds`. */
export type ConnectionIds = readonly string[] | null | undefined

/**
 * Returns the decorator of the argument `connectionIds`. Root lists of records have it. A nested list does not need it,
 * because its records belong to one connection.
 */
export const ConnectionIdsArg = (): ReturnType<typeof Arg> =>
  Arg('connectionIds', () => [ID], {
    nullable: true,
    description: 'Only records of these connections. Accepts at most 50 ids.',
  })

/** Narrows a tenant scope to these connections. It never widens: an id outside the scope selects nothing. */
export function narrowedTenant(tenant: Tenant, connectionIds: ConnectionIds): Tenant {
  const requested = distinctIds('connection', connectionIds)
  if (requested === null) return tenant
  const { applicationId, connectionIds: accessible } = tenant
  return {
    applicationId,
    connectionIds: accessible === null ? requested : requested.filter((id) => accessible.includes(id)),
  }
}
