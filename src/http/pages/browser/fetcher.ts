import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit'
import { GraphQLError } from 'graphql'

const PATH = '/graphql'

/**
 * Sends queries over HTTP with the headers, and subscriptions over a websocket with them as
 * `connectionParams`.
 */
const send = createGraphiQLFetcher({
  url: PATH,
  subscriptionUrl: new URL(PATH, location.href.replace(/^http/, 'ws')).href,
})

const KEY_MISSING =
  'To see the schema, enter your secret key under Headers, as "Authorization": "Bearer sk_…".'

/**
 * Sends requests of GraphiQL. GraphiQL loads the schema when the page opens. Without a key the server would
 * reject the request, so the fetcher returns an error with instructions instead.
 */
export const fetcher: Fetcher = (request, options) => {
  const headers = withoutEmpty(options?.headers)
  if (request.operationName === 'IntrospectionQuery' && !hasKey(headers))
    return { data: null, errors: [new GraphQLError(KEY_MISSING)] }
  return send(request, { ...options, headers })
}

const withoutEmpty = (headers: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))

const hasKey = (headers: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'authorization' && /^Bearer\s+\S/i.test(String(value)),
  )
