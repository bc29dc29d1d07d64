import { followBySession, type FollowEvents } from './events/event-sources.ts'
import type { SessionEvent } from './events/session-event.ts'
import { type ExecuteGraphQL, graphqlOver } from './graphql.ts'
import { serviceUrl, type TransportOptions, transportSettings } from './transport-options.ts'
import { createTransport } from './transport.ts'

export interface SessionOptions extends TransportOptions {
  /**
   * Session token, ses_tkn_…, that your server creates with the mutation `createSession`. Or a function that returns a
   * valid token, for example from your server. The function is called for each request and each stream, so
   * `followEvents` can continue when a session has expired.
   */
  readonly token: string | (() => string | Promise<string>)
}

/** Client of the service for a web page. It uses a session token, which can only read. */
export class OdographSession {
  readonly graphql: ExecuteGraphQL
  /** Follows the events of the session's connections without an end. */
  readonly followEvents: FollowEvents<SessionEvent>

  constructor(options: SessionOptions) {
    const { token } = options
    const settings = transportSettings(options)
    const headers = async () => ({
      authorization: `Bearer ${sessionToken(typeof token === 'string' ? token : await token())}`,
    })
    const baseUrl = serviceUrl(options.baseUrl)
    this.graphql = graphqlOver(createTransport(settings), baseUrl, headers)
    this.followEvents = followBySession({ ...settings, baseUrl, headers }, this.graphql)
  }
}

function sessionToken(token: string): string {
  if (token.startsWith('ses_tkn_')) return token
  throw new TypeError('Give the token of a session, ses_tkn_…: a secret key must never be in a browser.')
}
