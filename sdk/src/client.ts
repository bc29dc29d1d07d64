import { type CallOptions, createOperations } from './operations.ts'
import { followByKey, type FollowEvents } from './events/event-sources.ts'
import type { Connection } from './generated.ts'
import { type ExecuteGraphQL, graphqlOver } from './graphql.ts'
import { connectionResources, keyResources } from './resources.ts'
import { credential, serviceUrl, type TransportOptions, transportSettings } from './transport-options.ts'
import { createTransport } from './transport.ts'

export interface ClientOptions extends TransportOptions {
  /** Secret key, sk_…. Keep it on your server. */
  readonly secretKey: string
}

type KeyResources = ReturnType<typeof keyResources>

/** Client of the service for a server. It uses the secret key of the application. */
export class OdographClient {
  readonly connections: KeyResources['connections']
  readonly providers: KeyResources['providers']
  readonly issues: KeyResources['issues']
  readonly events: KeyResources['events']
  readonly links: KeyResources['links']
  readonly webhookEndpoints: KeyResources['webhookEndpoints']
  /** Runs a GraphQL operation over all connections of the application. */
  readonly graphql: ExecuteGraphQL
  /** Follows the events of all connections without an end. */
  readonly followEvents: FollowEvents
  /** Exchanges the public token of a link flow for its connection. Store the `token` of the connection. */
  readonly exchangePublicToken: (publicToken: string, options?: CallOptions) => Promise<Connection>
  /** Returns a client for the connection of a token. */
  readonly connection: (token: string) => ConnectionClient

  constructor(options: ClientOptions) {
    const baseUrl = serviceUrl(options.baseUrl)
    const settings = transportSettings(options)
    const send = createTransport(settings)
    const headers = { authorization: `Bearer ${credential('secretKey', options.secretKey, 'sk_')}` }
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
      const connectionHeaders = { ...headers, 'connection-token': credential('token', token, 'con_tkn_') }
      const resources = connectionResources(createOperations({ send, baseUrl, headers: connectionHeaders }))
      return {
        ...resources,
        graphql: graphqlOver(send, baseUrl, connectionHeaders),
        followEvents: followByKey(
          { ...settings, baseUrl, headers: connectionHeaders },
          resources.events.list,
        ),
      }
    }
  }
}

/** Client for one connection. It uses the secret key and the connection token. */
export type ConnectionClient = ReturnType<typeof connectionResources> & {
  /** Runs a GraphQL operation over this connection. */
  readonly graphql: ExecuteGraphQL
  /** Follows the events of this connection without an end. */
  readonly followEvents: FollowEvents
}
