import type { Id } from './ids.ts'

/** Scope of the rows that a caller may read: all of an application, or those of some of its connections. */
export interface Tenant {
  readonly applicationId: Id<'application'>
  /** Connections of the scope, without duplicates; null for all connections of the application. */
  readonly connectionIds: readonly Id<'connection'>[] | null
}

/** Returns the connection of a scope with exactly one; null for any other scope. */
export const onlyConnectionOf = ({
  connectionIds,
}: Pick<Tenant, 'connectionIds'>): Id<'connection'> | null =>
  connectionIds?.length === 1 ? (connectionIds[0] ?? null) : null
