import type { CallOptions } from './operations.ts'
import { type GraphQLProblem, OdographGraphQLError } from './errors.ts'
import { jsonOf, type Transport } from './transport.ts'

/** Document of a TypeScript code generator, with the types of its data and its variables. */
export interface TypedDocument<Data, Variables> {
  toString(): string
  __apiType?(variables: Variables): Data
}

/** Runs a GraphQL operation and returns its data. Throws `OdographGraphQLError` if the response contains errors. */
export interface ExecuteGraphQL {
  <Data = unknown, Variables extends object = Readonly<Record<string, unknown>>>(
    document: string | TypedDocument<Data, Variables>,
    variables?: Variables,
    options?: CallOptions,
  ): Promise<Data>
}

export type SentHeaders = Readonly<Record<string, string>>

/** Headers, or a function that returns them for each request. */
export type HeadersOf = SentHeaders | (() => Promise<SentHeaders>)

export const headersFrom = async (headers: HeadersOf): Promise<SentHeaders> =>
  typeof headers === 'function' ? headers() : headers

interface GraphQLResponse {
  readonly data?: unknown
  readonly errors?: readonly GraphQLProblem[]
}

export const graphqlOver =
  (send: Transport, baseUrl: string, headers: HeadersOf): ExecuteGraphQL =>
  async <Data>(
    document: { toString(): string },
    variables?: object,
    { signal, idempotencyKey }: CallOptions = {},
  ) => {
    const query = document.toString()
    // A document that contains the word `mutation` counts as a mutation. At worst, a query with that word is not
    // retried after an error of the service.
    const isMutation = /\bmutation\b/.test(query)
    const received = await send({
      method: 'POST',
      url: `${baseUrl}/graphql`,
      headers: {
        ...(await headersFrom(headers)),
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ query, variables }),
      isIdempotent: !isMutation,
      signal,
      idempotencyKey: isMutation ? (idempotencyKey ?? crypto.randomUUID()) : undefined,
    })
    const { data, errors = [] } = jsonOf(received) as GraphQLResponse
    if (errors.length === 0 && data != null) return data as Data
    const requestId = received.headers.get('x-request-id')
    throw new OdographGraphQLError(errors, data ?? null, {
      status: received.status,
      address: received.address,
      requestId,
    })
  }
