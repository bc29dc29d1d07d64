import { derivedId, type Id, type Kind } from '../../domain/ids.ts'

/** Maps the id of a record at the provider to the id of the stored record. */
type ResolveId = <K extends Kind>(kind: K, sourceId: string | null) => Id<K> | null

export const idResolverFor =
  (connectionId: Id<'connection'>): ResolveId =>
  (kind, sourceId) =>
    sourceId === null ? null : derivedId(kind, connectionId, sourceId)
