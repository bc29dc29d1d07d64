import type { IncomingMessage } from 'node:http'
import { matchesHost } from '../../platform/parse-url.ts'

/** Cookie that holds the session token of a person who has signed in to the dashboard. */
export interface SessionCookie {
  /** Puts the session token in the Authorization header of a request that has none, if a page of this service sent it. */
  authorize(request: IncomingMessage): void
  /** Whether no page of another origin sent the request. Browsers name the origin, or say that it is the same. */
  isOwn(request: IncomingMessage): boolean
  /** Returns the header that stores a token until its session expires. */
  stored(token: string, lifetimeSeconds: number): string
  /** Returns the header that removes the token. */
  readonly removed: string
}

const NAME = 'odograph_session'

/** `publicUrl` is the URL at which browsers see the service, if it differs from the Host header of their requests. */
export function createSessionCookie(publicUrl: string | undefined): SessionCookie {
  const url = publicUrl === undefined ? null : new URL(publicUrl)
  const path = url?.pathname ?? '/'
  const isSecure = url?.protocol === 'https:'
  const name = `${isSecure ? prefixFor(path) : ''}${NAME}`
  const tokenIn = new RegExp(`(?:^|;\\s*)${name}=([^;]+)`)
  const header = (value: string, seconds: number) =>
    `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const isOwn = ({ headers }: IncomingMessage): boolean => {
    const { origin, host, 'sec-fetch-site': site } = headers
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    return origin === undefined || origin === url?.origin || matchesHost(host, origin)
  }
  return {
    authorize(request) {
      const { cookie, authorization } = request.headers
      const token = authorization === undefined && cookie !== undefined && tokenIn.exec(cookie)?.[1]
      if (token && isOwn(request)) request.headers.authorization = `Bearer ${token}`
    },
    isOwn,
    stored: header,
    removed: header('', 0),
  }
}

/** With such a name, browsers accept the cookie from this host alone, and only over https. */
const prefixFor = (path: string): string => (path === '/' ? '__Host-' : '__Secure-')
