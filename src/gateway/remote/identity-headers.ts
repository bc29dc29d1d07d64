import { createHmac } from 'node:crypto'
import { outboundHeaders } from '../../platform/instrumentation.ts'
import type { IdentityHeaders } from './remote-executor.ts'

/**
 * Returns the headers for a remote subgraph of this service: the credentials of the caller and the request id.
 * Subscribers of `outboundHeaders` add more, such as the trace context.
 */
export const forwardedCredentials: IdentityHeaders = ({ forwarded, logContext }) => {
  const requestId = logContext?.requestId
  const headers = { ...forwarded, ...(requestId === undefined ? {} : { 'x-request-id': requestId }) }
  outboundHeaders.emit(headers)
  return headers
}

/**
 * Headers for a custom subgraph: application, connections, session and scopes of the caller, but never a key.
 * With a shared secret the headers are signed, so that the subgraph can reject forged ones.
 */
export function signedIdentity(secret: string | undefined, now: () => number = Date.now): IdentityHeaders {
  return ({ identity }) => {
    if (secret === undefined) return identity
    const timestamp = String(Math.floor(now() / 1000))
    return { ...identity, 'x-odograph-timestamp': timestamp, ...signature(secret, timestamp, identity) }
  }
}

function signature(secret: string, timestamp: string, identity: Readonly<Record<string, string>>) {
  const identityValues = SIGNED.map((name) => identity[name])
  // Missing values at the end are left out of the signed text. A value that is missing before another is empty.
  const lastIndex = Math.max(
    MIN_SIGNED - 1,
    identityValues.findLastIndex((value) => value !== undefined),
  )
  const signed = [timestamp, ...identityValues.slice(0, lastIndex + 1).map((value) => value ?? '')].join('.')
  return { 'x-odograph-signature': createHmac('sha256', secret).update(signed).digest('hex') }
}

export const APPLICATION_HEADER = 'x-odograph-application'
/** Connection that the caller is limited to; for a session with several, a comma-separated list. */
export const CONNECTION_HEADER = 'x-odograph-connection'
/** Session id of the caller; absent without a session. A session without a role can only read. */
export const SESSION_HEADER = 'x-odograph-session'
/**
 * Comma-separated scopes of the key, of the role of the session, or of the key that created the session; absent for a
 * key without scopes.
 */
export const SCOPES_HEADER = 'x-odograph-scopes'

/** Headers that are signed after the timestamp, in this order; the first two are always signed. */
const SIGNED = [APPLICATION_HEADER, CONNECTION_HEADER, SESSION_HEADER, SCOPES_HEADER]
const MIN_SIGNED = 2
