import { createHmac } from 'node:crypto'
import { outboundHeaders } from '../../platform/instrumentation.ts'
import type { IdentityHeaders } from './remote-executor.ts'

/**
 * A subgraph of this service knows the caller by the caller's own key, as if it had come there itself. It is told
 * which request it works for, and by whoever traces, in which trace.
 */
export const forwardedCredentials: IdentityHeaders = ({ forwarded, logContext }) => {
  const requestId = logContext?.requestId
  const headers = { ...forwarded, ...(requestId === undefined ? {} : { 'x-request-id': requestId }) }
  outboundHeaders.emit(headers)
  return headers
}

/**
 * An operator's own subgraph never sees a key: it is told the application, the connection and the scopes of the
 * caller. With a secret that both know, the telling is signed, so that a subgraph which others can reach need not believe them.
 */
export function signedIdentity(secret: string | undefined, now: () => number = Date.now): IdentityHeaders {
  return ({ identity }) => {
    if (secret === undefined) return identity
    const timestamp = String(Math.floor(now() / 1000))
    return { ...identity, 'x-odograph-timestamp': timestamp, ...signature(secret, timestamp, identity) }
  }
}

function signature(secret: string, timestamp: string, introduced: Readonly<Record<string, string>>) {
  const identityValues = SIGNED.map((name) => introduced[name])
  // What is missing at the end is left out: who has neither a session nor scopes is signed for without them.
  const last = Math.max(
    MIN_SIGNED - 1,
    identityValues.findLastIndex((value) => value !== undefined),
  )
  const signed = [timestamp, ...identityValues.slice(0, last + 1).map((value) => value ?? '')].join('.')
  return { 'x-odograph-signature': createHmac('sha256', secret).update(signed).digest('hex') }
}

export const APPLICATION_HEADER = 'x-odograph-application'
/** The connection that the caller is narrowed to; of a session several, with commas. */
export const CONNECTION_HEADER = 'x-odograph-connection'
/** The session of a caller in a browser, which may read only. */
export const SESSION_HEADER = 'x-odograph-session'
/** The scopes of the caller's key, or of the key that made the session, with commas; absent for a key that has none. */
export const SCOPES_HEADER = 'x-odograph-scopes'

/** What is signed after the timestamp, in this order; the first two always. */
const SIGNED = [APPLICATION_HEADER, CONNECTION_HEADER, SESSION_HEADER, SCOPES_HEADER]
const MIN_SIGNED = 2
