import type { ExecutionResult } from 'graphql'
import { PublicError } from '../src/errors.ts'
import type { WriterAt } from './writer.ts'

export type Answered = NonNullable<ExecutionResult['data']>

/** How the body is written from what the graph answered. Made once for each route. */
export type Body = (writerAt: WriterAt) => (data: Answered) => string

interface Page {
  readonly nodes: unknown
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** What every list selects besides its records. */
export const pageInfo = 'pageInfo { hasNextPage endCursor }'

/** `{results, next?}`: only the absence of `next` ends a listing. */
export const pageOf =
  (field: string): Body =>
  (writerAt) => {
    const write = writerAt([field, 'nodes'])
    return (data) => {
      const { nodes, pageInfo: end } = data[field] as Page
      const next = end.hasNextPage ? `,"next":${JSON.stringify(end.endCursor)}` : ''
      return `{"results":${write(nodes)}${next}}`
    }
  }

/** One record by itself, or 404. */
export const recordOf =
  (field: string): Body =>
  (writerAt) => {
    const write = writerAt([field])
    return (data) => {
      const record = data[field]
      if (record == null) throw noSuch(field)
      return write(record)
    }
  }

/** What a function makes of the answer, for bodies that are no image of the graph. */
export const madeBy =
  <Data extends object>(make: (data: Data) => unknown): Body =>
  () =>
  (data) =>
    JSON.stringify(make(data as Data))

export const noSuch = (kind: string) => new PublicError('not_found', `There is no such ${kind}.`)
