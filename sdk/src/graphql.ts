import type { CallOptions } from './operations.ts'
import { type GraphQLProblem, OdographGraphQLError } from './errors.ts'
import { jsonOf, type Transport } from './transport.ts'

/** A document whose types are known, as code generators for TypeScript write them. */
export interface TypedDocument<Data, Variables> {
  toString(): string
  __apiType?(variables: Variables): Data
}

/** Asks GraphQL, and gives its data; an answer with errors is thrown. */
export interface AskGraphQL {
  <Data = unknown, Variables extends object = Readonly<Record<string, unknown>>>(
    document: string | TypedDocument<Data, Variables>,
    variables?: Variables,
    options?: CallOptions,
  ): Promise<Data>
}

export type SentHeaders = Readonly<Record<string, string>>

/** Headers, or what gives them for each request. */
export type HeadersOf = SentHeaders | (() => Promise<SentHeaders>)

export const headersFrom = async (headers: HeadersOf): Promise<SentHeaders> =>
  typeof headers === 'function' ? headers() : headers

interface GraphQLAnswer {
  readonly data?: unknown
  readonly errors?: readonly GraphQLProblem[]
}

export const graphqlOver =
  (send: Transport, baseUrl: string, headers: HeadersOf): AskGraphQL =>
  async <Data>(document: { toString(): string }, variables?: object, { signal }: CallOptions = {}) => {
    const query = document.toString()
    const received = await send({
      method: 'POST',
      url: `${baseUrl}/graphql`,
      headers: {
        ...(await headersFrom(headers)),
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ query, variables }),
      // Whatever has the word is taken for a mutation: at worst it is asked once.
      isIdempotent: !/\bmutation\b/.test(query),
      signal,
    })
    const { data, errors = [] } = jsonOf(received) as GraphQLAnswer
    if (errors.length === 0 && data != null) return data as Data
    const requestId = received.headers.get('x-request-id')
    throw new OdographGraphQLError(errors, data ?? null, { status: received.status, requestId })
  }
