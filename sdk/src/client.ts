import { type CallOptions, callsOf } from './calls.ts'
import { followEvents, type Following } from './follow-events.ts'
import type { Connection, Event } from './generated.ts'
import { type AskGraphQL, graphqlOver } from './graphql.ts'
import { connectionResources, keyResources } from './resources.ts'
import { sender, type SendSettings } from './send.ts'
import { wait } from './waiting.ts'

export interface ClientOptions {
  /** Where the service is, such as https://odograph.example.com. */
  readonly baseUrl: string
  /** sk_…: it never leaves your server. */
  readonly secretKey: string
  /** In place of the fetch that there is. */
  readonly fetch?: typeof fetch
  /** How long one attempt may take; 30,000 unless told. */
  readonly timeoutMs?: number
  /** How often a call is made again; 4 times unless told, 0 is never. */
  readonly retries?: number
  /** The longest wait between two attempts; 60,000 unless told. */
  readonly longestWaitMs?: number
  /** In place of waiting, for tests. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
}

type KeyResources = ReturnType<typeof keyResources>

/** Speaks to the service as an application: with its secret key, on a server. */
export class OdographClient {
  readonly connections: KeyResources['connections']
  readonly providers: KeyResources['providers']
  readonly issues: KeyResources['issues']
  readonly events: KeyResources['events']
  readonly links: KeyResources['links']
  readonly webhookEndpoints: KeyResources['webhookEndpoints']
  /** Asks GraphQL across the connections of the application. */
  readonly graphql: AskGraphQL
  /** Exchanges the public token that a link run ended in for its connection, whose `token` is to be kept. */
  readonly exchangePublicToken: (publicToken: string, options?: CallOptions) => Promise<Connection>
  /** The same with the token of one connection, which reads and changes that one. */
  readonly connection: (token: string) => ConnectionClient

  constructor(options: ClientOptions) {
    const baseUrl = options.baseUrl.replace(/\/+$/, '')
    const send = sender(settingsOf(options))
    const headers = { authorization: `Bearer ${options.secretKey}` }
    const calls = callsOf({ send, baseUrl, headers })
    const resources = keyResources(calls)
    this.connections = resources.connections
    this.providers = resources.providers
    this.issues = resources.issues
    this.events = resources.events
    this.links = resources.links
    this.webhookEndpoints = resources.webhookEndpoints
    this.graphql = graphqlOver(send, baseUrl, headers)
    const exchange = calls.one('publicTokenExchange')
    this.exchangePublicToken = (publicToken, call) => exchange({ publicToken }, call)
    this.connection = (token) => {
      const narrowed = { ...headers, 'connection-token': token }
      const its = connectionResources(callsOf({ send, baseUrl, headers: narrowed }))
      return {
        ...its,
        graphql: graphqlOver(send, baseUrl, narrowed),
        followEvents: (following) => followEvents(its.events.list, following),
      }
    }
  }

  /** The events of every connection as they come, without an end. */
  followEvents(following?: Following): AsyncGenerator<Event, void, undefined> {
    return followEvents(this.events.list, following)
  }
}

/** Speaks to the service for one connection: with the secret key and the connection's token. */
export type ConnectionClient = ReturnType<typeof connectionResources> & {
  /** Asks GraphQL of this connection. */
  readonly graphql: AskGraphQL
  /** Its events as they come, without an end. */
  readonly followEvents: (following?: Following) => AsyncGenerator<Event, void, undefined>
}

const settingsOf = (options: ClientOptions): SendSettings => ({
  fetch: options.fetch ?? ((...request) => fetch(...request)),
  timeoutMs: options.timeoutMs ?? 30_000,
  retries: options.retries ?? 4,
  longestWaitMs: options.longestWaitMs ?? 60_000,
  wait: options.wait ?? wait,
})
