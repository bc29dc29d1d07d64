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
const TOKEN = new RegExp(`(?:^|;\\s*)${NAME}=([^;]+)`)

/** `publicUrl` is the URL at which browsers see the service, if it differs from the Host header of their requests. */
export function createSessionCookie(publicUrl: string | undefined): SessionCookie {
  const url = publicUrl === undefined ? null : new URL(publicUrl)
  const secure = url?.protocol === 'https:' ? '; Secure' : ''
  const header = (value: string, seconds: number) =>
    `${NAME}=${value}; Path=${url?.pathname ?? '/'}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  const isOwn = ({ headers }: IncomingMessage): boolean => {
    const { origin, host, 'sec-fetch-site': site } = headers
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    return origin === undefined || origin === url?.origin || matchesHost(host, origin)
  }
  return {
    authorize(request) {
      const { cookie, authorization } = request.headers
      const token = authorization === undefined && cookie !== undefined && TOKEN.exec(cookie)?.[1]
      if (token && isOwn(request)) request.headers.authorization = `Bearer ${token}`
    },
    isOwn,
    stored: header,
    removed: header('', 0),
  }
}
