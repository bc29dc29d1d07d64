import type { Id } from './ids.ts'

/** Rows that a caller may read: those of an application, or of some of its connections. */
export interface Tenant {
  readonly applicationId: Id<'application'>
  /** Connections that the scope is limited to, without duplicates; null for all of the application. */
  readonly connectionIds: readonly Id<'connection'>[] | null
}

/** Returns the connection that a scope is limited to; null if it has several or all. */
export const onlyConnectionOf = ({
  connectionIds,
}: Pick<Tenant, 'connectionIds'>): Id<'connection'> | null =>
  connectionIds?.length === 1 ? (connectionIds[0] ?? null) : null
