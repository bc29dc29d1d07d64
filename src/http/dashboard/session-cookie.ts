import type { IncomingMessage } from 'node:http'
import { matchesHost } from '../../platform/parse-url.ts'
import { isSafe } from '../safe-methods.ts'

/** Cookie that holds the session token of a person who has signed in to the dashboard. */
export interface SessionCookie {
  /**
   * Puts the session token in the Authorization header of a request that has none, if a page of this service sent it. A
   * read needs no proof of that: over plain http, browsers send none with it.
   */
  authorize(request: IncomingMessage): void
  /** Whether a page of this service sent the request: its browser names the origin, or says that it is the same. */
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
    if (site !== undefined && site !== 'same-origin') return false
    if (origin === undefined) return site !== undefined
    // Behind https, a page that came over plain http may have been changed on its way.
    return origin === url?.origin || ((!isSecure || origin.startsWith('https:')) && matchesHost(host, origin))
  }
  return {
    authorize(request) {
      const { cookie, authorization } = request.headers
      const token = authorization === undefined && cookie !== undefined && tokenIn.exec(cookie)?.[1]
      if (token && (isOwn(request) || isUnmarkedRead(request)))
        request.headers.authorization = `Bearer ${token}`
    },
    isOwn,
    stored: header,
    removed: header('', 0),
  }
}

/** Whether a request reads, and its browser says nothing about the page. A websocket can write. */
const isUnmarkedRead = ({ method, headers }: IncomingMessage): boolean =>
  isSafe({ method: method ?? '' }) &&
  headers.upgrade === undefined &&
  headers.origin === undefined &&
  headers['sec-fetch-site'] === undefined

/** With such a name, browsers accept the cookie from this host alone, and only over https. */
const prefixFor = (path: string): string => (path === '/' ? '__Host-' : '__Secure-')
