import { followBySession, type FollowEvents } from './events/event-sources.ts'
import { type AskGraphQL, graphqlOver } from './graphql.ts'
import { type TransportOptions, transportSettings } from './transport-options.ts'
import { createTransport } from './transport.ts'

export interface SessionOptions extends TransportOptions {
  /**
   * ses_tkn_…, as your server has made it (`createSession`); or what gives one that is good, such as a function that
   * asks your server: it is called for each request and each stream, so that following outlives a session.
   */
  readonly token: string | (() => string | Promise<string>)
}

/** Speaks to the service for a page: with a session's token, which reads what the session may, and changes nothing. */
export class OdographSession {
  readonly graphql: AskGraphQL
  /** Events of the connections of the session as they happen, without an end. */
  readonly followEvents: FollowEvents

  constructor(options: SessionOptions) {
    const { token } = options
    const settings = transportSettings(options)
    const headers = async () => ({
      authorization: `Bearer ${sessionToken(typeof token === 'string' ? token : await token())}`,
    })
    const baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.graphql = graphqlOver(createTransport(settings), baseUrl, headers)
    this.followEvents = followBySession({ ...settings, baseUrl, headers }, this.graphql)
  }
}

function sessionToken(token: string): string {
  if (token.startsWith('ses_tkn_')) return token
  throw new TypeError('Give the token of a session, ses_tkn_…: a secret key has no place in a browser.')
}
