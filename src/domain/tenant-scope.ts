import type { Id } from './ids.ts'

/** Whose rows somebody may see: an application's, or those of some of its connections. */
export interface Tenant {
  readonly applicationId: Id<'application'>
  /** The connections that it is narrowed to, each once; null is every one of the application. */
  readonly connectionIds: readonly Id<'connection'>[] | null
}

/** The one connection that somebody is narrowed to; null where there are several, or all. */
export const onlyConnectionOf = ({
  connectionIds,
}: Pick<Tenant, 'connectionIds'>): Id<'connection'> | null =>
  connectionIds?.length === 1 ? (connectionIds[0] ?? null) : null
