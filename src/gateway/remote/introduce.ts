import { createHmac } from 'node:crypto'
import { departures } from '../../watched.ts'
import type { Introduce } from './executor.ts'

/**
 * A subgraph of this service knows the caller by the caller's own key, as if it had come there itself. It is told
 * which request it works for, and by whoever traces, in which trace.
 */
export const byCredentials: Introduce = ({ forwarded, scope }) => {
  const requestId = scope?.requestId
  const headers = { ...forwarded, ...(requestId === undefined ? {} : { 'x-request-id': requestId }) }
  departures.tell(headers)
  return headers
}

/**
 * An operator's own subgraph never sees a key: it is told the application and the connection of the caller. With a
 * secret that both know, the telling is signed, so that a subgraph which others can reach need not believe them.
 */
export function byName(secret: string | undefined, now: () => number = Date.now): Introduce {
  return ({ introduced }) => {
    if (secret === undefined) return introduced
    const timestamp = String(Math.floor(now() / 1000))
    return { ...introduced, 'x-odograph-timestamp': timestamp, ...signature(secret, timestamp, introduced) }
  }
}

function signature(secret: string, timestamp: string, introduced: Readonly<Record<string, string>>) {
  const application = introduced[APPLICATION_HEADER] ?? ''
  const connection = introduced[CONNECTION_HEADER] ?? ''
  const session = introduced[SESSION_HEADER]
  const signed = `${timestamp}.${application}.${connection}${session === undefined ? '' : `.${session}`}`
  return { 'x-odograph-signature': createHmac('sha256', secret).update(signed).digest('hex') }
}

export const APPLICATION_HEADER = 'x-odograph-application'
/** The connection that the caller is narrowed to; of a session several, with commas. */
export const CONNECTION_HEADER = 'x-odograph-connection'
/** The session of a caller in a browser, which may read only. */
export const SESSION_HEADER = 'x-odograph-session'
