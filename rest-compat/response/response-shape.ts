import type { ExecutionResult } from 'graphql'
import { PublicError } from '../../src/domain/errors.ts'
import type { JsonSchema, SchemaAt } from '../openapi/json-schema.ts'
import type { SerializerAt } from './json-serializer.ts'

export type GraphResult = NonNullable<ExecutionResult['data']>

/** Response of a provider: bytes with their own status and content type. */
export interface RawResponse {
  readonly status: number
  readonly contentType: string
  readonly bytes: Buffer
}

/** Writes a response body from a GraphQL result, and describes its schema in the OpenAPI document. */
export interface ResponseShape {
  /** Called once for each route. */
  readonly writer: (writerAt: SerializerAt) => (data: GraphResult) => string | RawResponse
  readonly schema: (schemaAt: SchemaAt) => JsonSchema
  /** Media types besides JSON. */
  readonly otherTypes?: readonly string[]
  /** Whether the route returns 404 for an unknown record. */
  readonly mayMiss?: boolean
}

interface Page {
  readonly nodes: unknown
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Page fields that every list selects. */
export const pageInfo = 'pageInfo { hasNextPage endCursor }'

const next: JsonSchema = {
  type: 'string',
  description: 'The `cursor` of the next page. The list ends when it is absent.',
}

/** Writes a page as `{results, next?}`. A list ends when `next` is absent. */
export const pageShape = (field: string): ResponseShape => pageAt([field])

/** Writes a page inside one record, or responds 404 for an unknown record. */
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

/** Writes one record, or responds 404. */
export const recordShape = (field: string): ResponseShape => ({ ...valueAt([field]), mayMiss: true })

/** Writes the record of a mutation: one member of its payload. */
export const mutationShape = (mutation: string, member: string): ResponseShape => valueAt([mutation, member])

const valueAt = (path: readonly string[]): ResponseShape => ({
  writer: (writerAt) => {
    const write = writerAt(path)
    return (data) => write(foundAt(path, data))
  },
  schema: (schemaAt) => schemaAt(path),
})

/** Writes the record of a mutation with other members of its payload: `{...record, message}`. */
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

/**
 * Writes the value that a function computes from the result. For bodies that differ from the GraphQL types.
 */
export const computedShape = <Data extends object>(
  make: (data: Data) => unknown,
  schema: JsonSchema,
): ResponseShape => ({
  writer: () => (data) => JSON.stringify(make(data as Data)),
  schema: () => schema,
})

/** Returns the value at a path of the result. Throws 404 if a record on the path is null. */
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
