import {
  type AnyVariables,
  Client,
  type CombinedError,
  fetchExchange,
  type TypedDocumentNode,
} from '@urql/core'
import { createClient } from 'graphql-ws'
import { print } from 'graphql'
import { isSignedIn } from './session.ts'
import { follow, isAccessEnd } from './follow.ts'
import { basePath } from '../shell/base-path.ts'

const GRAPHQL_PATH = `${basePath}/graphql`

const graphql = new Client({
  url: GRAPHQL_PATH,
  exchanges: [fetchExchange],
  requestPolicy: 'network-only',
  preferGetMethod: false,
})

/** Error of a request for which the person must sign in again. */
export class SignedOut extends Error {
  constructor() {
    super('Your session has ended. Sign in again.')
  }
}

/** Runs a query. Throws `SignedOut` if the session has ended, else an error with the messages of the service. */
export async function query<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await graphql.query(document, variables).toPromise()
  if (error) throw toError(error)
  if (data === undefined) throw new Error('The service sent no data.')
  return data
}

function toError({ graphQLErrors, networkError, response }: CombinedError): Error {
  if (isSignedOut(graphQLErrors.map(({ extensions }) => extensions['code']))) return new SignedOut()
  if (graphQLErrors.length > 0) return new Error(graphQLErrors.map(({ message }) => message).join(' '))
  const status = (response as Response | undefined)?.status
  if (status !== undefined && status >= 400)
    return new Error(`The service answered with the status ${status}.`)
  return new Error(`The service cannot be reached. ${networkError?.message ?? ''}`.trim())
}

const isSignedOut = (codes: readonly unknown[]): boolean => codes.includes('UNAUTHENTICATED')

/** State of the connection that carries a subscription. */
export type LinkState = 'connecting' | 'live' | 'offline' | 'signed-out' | 'forbidden'

interface Listener<Data> {
  next(data: Data): void
  state(state: LinkState): void
  error(message: string): void
}

/** Longest wait before another attempt to connect. */
const MAX_WAIT_MS = 15_000

/**
 * Subscribes until the returned function is called. After a break, a refusal or an end it subscribes again.
 */
export function subscribe<Data>(
  document: TypedDocumentNode<Data, Record<string, never>>,
  listener: Listener<Data>,
): () => void {
  const url = new URL(GRAPHQL_PATH, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  let hasEnded = false
  const report = (state: LinkState) => {
    if (!hasEnded) listener.state(state)
  }
  const end = (state: LinkState) => {
    report(state)
    hasEnded = true
  }
  let unsubscribe: () => void = () => undefined
  const client = createClient({
    url: url.href,
    lazy: true,
    retryAttempts: Infinity,
    retryWait: waitAfter,
    shouldRetry: (event) => !isAccessEnd(event),
    on: {
      connecting: () => report('connecting'),
      connected: () => report('live'),
      closed: () => report('offline'),
    },
  })
  const stop = follow<Data>({
    open: (attempt) => {
      unsubscribe = client.subscribe<Data>(
        { query: print(document) },
        {
          next: ({ data, errors }) => {
            // An event with data may lack fields that the person may not read.
            if (data) attempt.next(data)
            else if (errors) listener.error(textOf(errors))
          },
          error: (error) => attempt.failed(error),
          complete: () => attempt.completed(),
        },
      )
    },
    next: (data) => listener.next(data),
    error: (error) => listener.error(textOf(error)),
    hasAccess: isSignedIn,
    signedOut: () => end('signed-out'),
    forbidden: () => end('forbidden'),
    wait: waitAfter,
  })
  return () => {
    hasEnded = true
    stop()
    unsubscribe()
    // It rejects if the socket never opened; then there is nothing to close.
    Promise.resolve(client.dispose()).catch(() => undefined)
  }
}

const textOf = (error: unknown): string => {
  if (Array.isArray(error)) return error.map(({ message }: { message: string }) => message).join(' ')
  return error instanceof Error ? error.message : 'The live connection failed.'
}

/** Waits longer after each failure, by chance within a range, so that pages do not come back all at once. */
const waitAfter = (failures: number): Promise<void> => {
  const ms = Math.min(MAX_WAIT_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2)
  return new Promise((resolve) => setTimeout(resolve, ms))
}
