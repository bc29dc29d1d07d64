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

/** Writer of a response body from a GraphQL result, with the schema of the body for the OpenAPI document. */
export interface ResponseShape {
  /** Creates the writer; called once for each route. */
  readonly writer: (writerAt: SerializerAt) => (data: GraphResult) => string | RawResponse
  readonly schema: (schemaAt: SchemaAt) => JsonSchema
  /** Media types of the response besides JSON. */
  readonly otherTypes?: readonly string[]
  /** Whether the route returns 404 for an unknown record. */
  readonly mayMiss?: boolean
}

interface Page {
  readonly nodes: unknown
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Selection of the page information, which every list needs. */
export const pageInfo = 'pageInfo { hasNextPage endCursor }'

const next: JsonSchema = {
  type: 'string',
  description: 'The `cursor` of the next page. The list ends when it is absent.',
}

/** Writes a page as `{results, next?}`. The last page has no `next`. */
export const pageShape = (field: string): ResponseShape => pageAt([field])

/** Writes a page that is a field of one record, or responds with 404 for an unknown record. */
export const nestedPageShape = (record: string, field: string): ResponseShape => ({
  ...pageAt([record, field]),
  mayMiss: true,
})

const pageAt = (path: readonly string[]): ResponseShape => ({
  writer: (writerAt) => {
    const write = writerAt([...path, 'nodes'])
    return (data) => {
      const { nodes, pageInfo: info } = foundAt(path, data) as Page
      const nextMember = info.hasNextPage ? `,"next":${JSON.stringify(info.endCursor)}` : ''
      return `{"results":${write(nodes)}${nextMember}}`
    }
  },
  schema: (schemaAt) => ({
    type: 'object',
    properties: { results: schemaAt([...path, 'nodes']), next },
    required: ['results'],
  }),
})

/** Writes one record, or responds with 404 for an unknown record. */
export const recordShape = (field: string): ResponseShape => ({ ...valueAt([field]), mayMiss: true })

/** Writes the record in the payload of a mutation: the member `member`. */
export const mutationShape = (mutation: string, member: string): ResponseShape => valueAt([mutation, member])

const valueAt = (path: readonly string[]): ResponseShape => ({
  writer: (writerAt) => {
    const write = writerAt(path)
    return (data) => write(foundAt(path, data))
  },
  schema: (schemaAt) => schemaAt(path),
})

/** Writes the record in the payload of a mutation, with other members of the payload: `{...record, message}`. */
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
      // Cuts off the closing brace of the record.
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
 * Writes the value that `make` computes from the result, for a body that differs from the GraphQL types.
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
    if (value == null) throw notFoundError(name)
  }
  return value
}

/** Returns the 404 error for a kind of record or a GraphQL field, such as `safetyEvent`. */
export const notFoundError = (kind: string) =>
  new PublicError(
    'not_found',
    `There is no such ${kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`,
  )
