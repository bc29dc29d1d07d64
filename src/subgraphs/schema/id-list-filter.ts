import { PublicError } from '../../domain/errors.ts'
import { oneOf, type Where } from '../../storage/sql/where.ts'

const MAX_IDS = 50

/** Rows of some owners, of which a caller may name so many (interface 8). */
export function idListFilter(column: string, ids: readonly string[] | null | undefined, name: string): Where | null {
  const distinct = ids ? [...new Set(ids)] : null
  if (distinct && distinct.length > MAX_IDS) {
    const message = `\`${name}\` takes ${MAX_IDS} ids at most.`
    throw new PublicError('bad_request', message, { detail: [{ message, path: name }] })
  }
  return oneOf(column, distinct)
}
