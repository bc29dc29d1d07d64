import { PublicError } from '../../domain/errors.ts'
import { oneOf, type Where } from '../../storage/sql/where.ts'

const MAX_IDS = 50

/** Returns the condition for rows with one of these ids. A caller can pass at most 50 distinct ids. */
export function idListFilter(column: string, ids: readonly string[] | null | undefined, name: string): Where | null {
  const distinct = ids ? [...new Set(ids)] : null
  if (distinct && distinct.length > MAX_IDS) {
    const message = `\`${name}\` accepts at most ${MAX_IDS} ids.`
    throw new PublicError('bad_request', message, { detail: [{ message, path: name }] })
  }
  return oneOf(column, distinct)
}
