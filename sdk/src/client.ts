import { type CallOptions, createOperations } from './operations.ts'
import { followByKey, type FollowEvents } from './events/event-sources.ts'
import type { Connection } from './generated.ts'
import { type AskGraphQL, graphqlOver } from './graphql.ts'
import { connectionResources, keyResources } from './resources.ts'
import { type TransportOptions, transportSettings } from './transport-options.ts'
import { createTransport } from './transport.ts'

export interface ClientOptions extends TransportOptions {
  /** sk_…: it never leaves your server. */
  readonly secretKey: string
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
  /** The events of every connection as they happen, without an end. */
  readonly followEvents: FollowEvents
  /** Exchanges the public token that a link run ended in for its connection, whose `token` is to be kept. */
  readonly exchangePublicToken: (publicToken: string, options?: CallOptions) => Promise<Connection>
  /** The same with the token of one connection, which reads and changes that one. */
  readonly connection: (token: string) => ConnectionClient

  constructor(options: ClientOptions) {
    const baseUrl = options.baseUrl.replace(/\/+$/, '')
    const settings = transportSettings(options)
    const send = createTransport(settings)
    const headers = { authorization: `Bearer ${options.secretKey}` }
    const calls = createOperations({ send, baseUrl, headers })
    const resources = keyResources(calls)
    this.connections = resources.connections
    this.providers = resources.providers
    this.issues = resources.issues
    this.events = resources.events
    this.links = resources.links
    this.webhookEndpoints = resources.webhookEndpoints
    this.graphql = graphqlOver(send, baseUrl, headers)
    this.followEvents = followByKey({ ...settings, baseUrl, headers }, this.events.list)
    const exchange = calls.one('publicTokenExchange')
    this.exchangePublicToken = (publicToken, call) => exchange({ publicToken }, call)
    this.connection = (token) => {
      const narrowed = { ...headers, 'connection-token': token }
      const its = connectionResources(createOperations({ send, baseUrl, headers: narrowed }))
      return {
        ...its,
        graphql: graphqlOver(send, baseUrl, narrowed),
        followEvents: followByKey({ ...settings, baseUrl, headers: narrowed }, its.events.list),
      }
    }
  }
}

/** Speaks to the service for one connection: with the secret key and the connection's token. */
export type ConnectionClient = ReturnType<typeof connectionResources> & {
  /** Asks GraphQL of this connection. */
  readonly graphql: AskGraphQL
  /** Its events as they happen, without an end. */
  readonly followEvents: FollowEvents
}
