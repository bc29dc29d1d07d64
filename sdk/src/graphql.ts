import type { CallOptions } from './calls.ts'
import { type GraphQLProblem, OdographGraphQLError } from './errors.ts'
import { jsonOf, type Send } from './send.ts'

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

interface GraphQLAnswer {
  readonly data?: unknown
  readonly errors?: readonly GraphQLProblem[]
}

export const graphqlOver =
  (send: Send, baseUrl: string, headers: Readonly<Record<string, string>>): AskGraphQL =>
  async <Data>(document: { toString(): string }, variables?: object, { signal }: CallOptions = {}) => {
    const query = document.toString()
    const received = await send({
      method: 'POST',
      url: `${baseUrl}/graphql`,
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
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
