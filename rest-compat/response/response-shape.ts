import type { ExecutionResult } from 'graphql'
import { PublicError } from '../../src/domain/errors.ts'
import type { JsonSchema, SchemaAt } from '../openapi/json-schema.ts'
import type { SerializerAt } from './json-serializer.ts'

export type GraphResult = NonNullable<ExecutionResult['data']>

/** A body that is not JSON of ours: bytes with a status and a type of their own. */
export interface RawResponse {
  readonly status: number
  readonly contentType: string
  readonly bytes: Buffer
}

/** How the body is written from what the graph answered, and its schema in the published document. */
export interface ResponseShape {
  /** Called once for each route. */
  readonly writer: (writerAt: SerializerAt) => (data: GraphResult) => string | RawResponse
  readonly schema: (schemaAt: SchemaAt) => JsonSchema
  /** Media types besides JSON. */
  readonly otherTypes?: readonly string[]
  /** There may be no such record. */
  readonly mayMiss?: boolean
}

interface Page {
  readonly nodes: unknown
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** What every list selects besides its records. */
export const pageInfo = 'pageInfo { hasNextPage endCursor }'

const next: JsonSchema = {
  type: 'string',
  description: 'The `cursor` of the next page. Only where it is absent does the listing end.',
}

/** `{results, next?}`: only the absence of `next` ends a listing. */
export const pageShape = (field: string): ResponseShape => pageAt([field])

/** A page inside one record, or 404 where there is no such record. */
export const pageInsideShape = (record: string, field: string): ResponseShape => ({
  ...pageAt([record, field]),
  mayMiss: true,
})

const pageAt = (path: readonly string[]): ResponseShape => ({
  writer: (writerAt) => {
    const write = writerAt([...path, 'nodes'])
    return (data) => {
      const { nodes, pageInfo: end } = foundAt(path, data) as Page
      const more = end.hasNextPage ? `,"next":${JSON.stringify(end.endCursor)}` : ''
      return `{"results":${write(nodes)}${more}}`
    }
  },
  schema: (schemaAt) => ({
    type: 'object',
    properties: { results: schemaAt([...path, 'nodes']), next },
    required: ['results'],
  }),
})

/** One record by itself, or 404. */
export const recordShape = (field: string): ResponseShape => ({ ...valueAt([field]), mayMiss: true })

/** What a mutation changed or made: one member of its payload. */
export const mutationShape = (mutation: string, member: string): ResponseShape => valueAt([mutation, member])

const valueAt = (path: readonly string[]): ResponseShape => ({
  writer: (writerAt) => {
    const write = writerAt(path)
    return (data) => write(foundAt(path, data))
  },
  schema: (schemaAt) => schemaAt(path),
})

/** What a mutation changed, with members of its payload: `{...record, message}`. */
export const mutationWithShape = (
  mutation: string,
  member: string,
  ...others: readonly string[]
): ResponseShape => ({
  writer: (writerAt) => {
    const write = writerAt([mutation, member])
    return (data) => {
      const payload = foundAt([mutation], data) as Readonly<Record<string, unknown>>
      const added = others.map((name) => `,"${name}":${JSON.stringify(payload[name])}`)
      return `${write(payload[member]).slice(0, -1)}${added.join('')}}`
    }
  },
  schema: (schemaAt) => ({
    allOf: [
      schemaAt([mutation, member]),
      {
        type: 'object',
        properties: Object.fromEntries(others.map((name) => [name, schemaAt([mutation, name])])),
        required: others,
      },
    ],
  }),
})

/** What a function makes of the answer, for bodies that are no image of the graph. */
export const computedShape = <Data extends object>(
  make: (data: Data) => unknown,
  schema: JsonSchema,
): ResponseShape => ({
  writer: () => (data) => JSON.stringify(make(data as Data)),
  schema: () => schema,
})

/** What is at a path of the answer; a record on the way that is not there is 404. */
function foundAt(path: readonly string[], data: GraphResult): unknown {
  let value: unknown = data
  for (const name of path) {
    value = (value as Readonly<Record<string, unknown>>)[name]
    if (value == null) throw noSuch(name)
  }
  return value
}

export const noSuch = (kind: string) =>
  new PublicError(
    'not_found',
    `There is no such ${kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`,
  )
