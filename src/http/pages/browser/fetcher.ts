import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit'
import { GraphQLError } from 'graphql'

const PATH = '/graphql'

/** Queries go over HTTP, subscriptions over a websocket; the headers go with both, there as `connectionParams`. */
const send = createGraphiQLFetcher({
  url: PATH,
  subscriptionUrl: new URL(PATH, location.href.replace(/^http/, 'ws')).href,
})

const WITHOUT_KEY = 'Put your secret key into Headers, as "Authorization": "Bearer sk_…", to see the schema.'

/** The schema is read as soon as the page opens: without a key that could only be refused. */
export const fetcher: Fetcher = (request, options) => {
  const headers = filledIn(options?.headers)
  if (request.operationName === 'IntrospectionQuery' && !hasKey(headers))
    return { data: null, errors: [new GraphQLError(WITHOUT_KEY)] }
  return send(request, { ...options, headers })
}

const filledIn = (headers: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))

const hasKey = (headers: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'authorization' && /^Bearer\s+\S/i.test(String(value)),
  )
