import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate, Caller } from '../../auth/caller.ts'
import type { FailedAttempts } from '../../auth/failed-attempts.ts'
import { isClientError, isPublic, PublicError } from '../../domain/errors.ts'
import { toIso } from '../../domain/time.ts'
import { isObject } from '../../platform/is-object.ts'
import type { DashboardSessions } from '../../subgraphs/connections/sessions/dashboard-sessions.ts'
import { serveFiles } from '../pages/pages.ts'
import type { SessionCookie } from './session-cookie.ts'

interface DashboardOptions {
  /** Folder into which `npm run build` writes the dashboard. */
  readonly folder: string
  /** Path of the public URL, which a proxy removes; links start with it. */
  readonly basePath: string
  readonly cookie: SessionCookie
  readonly sessions: DashboardSessions
  readonly authenticate: Authenticate
  readonly failedAttempts: Pick<FailedAttempts, 'check' | 'add'>
}

const SESSION = '/dashboard/session'

/**
 * Mounts the dashboard: its page, its files, and the sign-in of people. Requests of other routes may from then on have a
 * session cookie instead of an Authorization header.
 */
export function mountDashboard(app: FastifyInstance, options: DashboardOptions): void {
  const { cookie, sessions, authenticate } = options
  app.addHook('onRequest', (request, _reply, done) => {
    cookie.authorize(request.raw)
    done()
  })
  mountPage(app, options)
  app.get(SESSION, async (request, reply) => {
    const caller = await signedInCaller(authenticate, request)
    if (!caller?.session) return reply.code(204).send()
    return { expiresAt: toIso(caller.session.expiresAt) }
  })
  app.post(SESSION, async (request, reply) => {
    requireOwnPage(cookie, request)
    // Looked up before: a refusal must not spend the code of a link.
    const replaced = await signedInCaller(authenticate, request)
    const { token, session } = await openSession(options, request)
    if (replaced) await sessions.signOut(replaced)
    const lifetimeSeconds = Math.floor((session.expiresAt - Date.now()) / 1000)
    void reply.header('set-cookie', cookie.stored(token, lifetimeSeconds))
    return { expiresAt: toIso(session.expiresAt) }
  })
  app.delete(SESSION, async (request, reply) => {
    requireOwnPage(cookie, request)
    const caller = await signedInCaller(authenticate, request)
    if (caller) await sessions.signOut(caller)
    return reply.header('set-cookie', cookie.removed).code(204).send()
  })
}

/**
 * Content security policy of the dashboard: scripts, styles, workers and data are files of this server. The map draws
 * images from `data:` URLs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function mountPage(app: FastifyInstance, { folder, basePath }: DashboardOptions): void {
  // The build leaves one folder there, with the version as its name.
  const [version = ''] = readdirSync(folder)
  const files = `/dashboard/assets/${version}/`
  serveFiles(app, { root: join(folder, version), prefix: files, immutable: true, maxAge: '1y' })
  const html = documentOf(basePath, `${basePath}${files}main`)
  const sendPage = (_request: FastifyRequest, reply: FastifyReply) => {
    void reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      'referrer-policy': 'same-origin',
    })
    return reply.send(html)
  }
  app.get('/dashboard', sendPage)
  // Files of another version of the service: a page that was open during an upgrade still asks for them.
  app.get('/dashboard/assets/*', (_request, reply) => reply.callNotFound())
  // The page shows the view for its path itself.
  app.get('/dashboard/*', sendPage)
}

const documentOf = (basePath: string, files: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Odograph</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${files}.css" />
    <script type="module" src="${files}.js"></script>
  </head>
  <body>
    <div id="dashboard" data-base="${basePath}"></div>
    <noscript>The dashboard needs JavaScript.</noscript>
  </body>
</html>
`

function requireOwnPage(cookie: SessionCookie, { raw }: FastifyRequest): void {
  if (!cookie.isOwn(raw))
    throw new PublicError('forbidden', 'Only the dashboard of this service may sign people in and out.', {
      detail: 'Send the Origin of this service, as browsers do.',
    })
}

async function openSession(
  { sessions, authenticate, failedAttempts }: DashboardOptions,
  { body, remoteAddress }: FastifyRequest,
) {
  const { code, secretKey } = isObject(body) ? body : {}
  if (typeof secretKey === 'string' && code === undefined)
    return sessions.create(await authenticate({ authorization: `Bearer ${secretKey}` }, remoteAddress))
  if (typeof code !== 'string' || secretKey !== undefined)
    throw new PublicError('bad_request', 'Send `code`, of a sign-in link, or `secretKey`.')
  failedAttempts.check(remoteAddress)
  try {
    return await sessions.openLink(code)
  } catch (error) {
    if (isClientError(error)) failedAttempts.add(remoteAddress)
    throw error
  }
}

/**
 * Returns the caller whose session the request has; null if it has none, or it has ended. Any other error is thrown: a
 * session that still reads must not look signed out.
 */
async function signedInCaller(
  authenticate: Authenticate,
  { headers: { authorization }, remoteAddress }: FastifyRequest,
): Promise<Caller | null> {
  if (authorization === undefined) return null
  try {
    return await authenticate({ authorization }, remoteAddress)
  } catch (error) {
    if (isPublic(error) && (error.code === 'unauthorized' || error.code === 'forbidden')) return null
    throw error
  }
}
