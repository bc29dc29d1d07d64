import { derivedId, type Id, type Kind } from '../ids.ts'

/** Turns what a provider calls a record into our id of it. */
export type Refer = <K extends Kind>(kind: K, sourceId: string | null) => Id<K> | null

export const referring =
  (connectionId: Id<'connection'>): Refer =>
  (kind, sourceId) =>
    sourceId === null ? null : derivedId(kind, connectionId, sourceId)
