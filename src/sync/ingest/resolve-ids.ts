import { derivedId, type Id, type Kind } from '../../domain/ids.ts'

/** Turns what a provider calls a record into our id of it. */
export type ResolveId = <K extends Kind>(kind: K, sourceId: string | null) => Id<K> | null

export const idResolverFor =
  (connectionId: Id<'connection'>): ResolveId =>
  (kind, sourceId) =>
    sourceId === null ? null : derivedId(kind, connectionId, sourceId)
