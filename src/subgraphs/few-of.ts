import { PublicError } from '../errors.ts'
import { oneOf, type Where } from '../storage/where.ts'

const MOST_IDS = 50

/** Rows of some owners, of which a caller may name so many (interface 8). */
export function fewOf(column: string, ids: readonly string[] | null | undefined, name: string): Where | null {
  const distinct = ids ? [...new Set(ids)] : null
  if (distinct && distinct.length > MOST_IDS) {
    const message = `\`${name}\` takes ${MOST_IDS} ids at most.`
    throw new PublicError('bad_request', message, { detail: [{ message, path: name }] })
  }
  return oneOf(column, distinct)
}
