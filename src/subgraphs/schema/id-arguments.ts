import { invalidArgument } from '../../domain/errors.ts'
import { type Id, isId, type Kind, withArticle } from '../../domain/ids.ts'
import { equal, oneOf, type Where } from '../../storage/sql/where.ts'

// Ids in arguments. An id of another kind is a mistake of the caller: it would never find a record.

const MAX_IDS = 50

/** Returns the id. Throws if it is not an id of this kind. */
export function idArgument<K extends Kind>(kind: K, id: string, name = 'id'): Id<K> {
  if (isId(kind, id)) return id
  throw invalidArgument(name, `\`${name}\` must be the id of ${withArticle(kind)}.`)
}

/** Throws if one of the ids of a list is not of this kind. */
export function checkIds(kind: Kind, ids: readonly string[] | null | undefined): void {
  if (ids?.every((id) => isId(kind, id)) ?? true) return
  const name = `${kind}Ids`
  throw invalidArgument(name, `\`${name}\` must contain only ids of ${kind}s.`)
}

/** Returns the condition for rows that refer to this record, such as those of a connection. */
export const idFilter = (kind: Kind, id: string | null | undefined): Where | null =>
  equal(`${kind}Id`, id == null ? null : idArgument(kind, id, `${kind}Id`))

/** Returns the distinct ids of a list, at most 50. Null for an absent list. */
export function distinctIds<K extends Kind>(
  kind: K,
  ids: readonly string[] | null | undefined,
): readonly Id<K>[] | null {
  checkIds(kind, ids)
  if (ids == null) return null
  const distinct = [...new Set(ids)] as Id<K>[]
  if (distinct.length <= MAX_IDS) return distinct
  throw invalidArgument(`${kind}Ids`, `\`${kind}Ids\` accepts at most ${MAX_IDS} ids.`)
}

/** Returns the condition for rows of these vehicles or drivers. A caller can pass at most 50 distinct ids. */
export const idListFilter = (
  kind: 'vehicle' | 'driver',
  ids: readonly string[] | null | undefined,
): Where | null => oneOf(`${kind}Id`, distinctIds(kind, ids))
