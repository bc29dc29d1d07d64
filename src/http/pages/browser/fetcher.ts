import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit'
import { GraphQLError } from 'graphql'
import { BASE_URL } from './base-url.ts'

const URL_OF_API = new URL('graphql', BASE_URL).href

/**
 * Sends queries over HTTP. Sends subscriptions over a websocket, whose `connectionParams` contain the headers.
 */
const send = createGraphiQLFetcher({
  url: URL_OF_API,
  subscriptionUrl: URL_OF_API.replace(/^http/, 'ws'),
})

const KEY_MISSING =
  'To see the schema, enter your secret key under Headers, as "Authorization": "Bearer sk_…".'

/**
 * Sends the requests of GraphiQL. GraphiQL loads the schema when the page opens. Without a key, the server would
 * reject that request. The fetcher therefore returns an error with instructions instead.
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
