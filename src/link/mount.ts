import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPublic } from '../domain/errors.ts'
import type { ConnectionCommandDeps } from '../subgraphs/connections/command-deps.ts'
import { replyWithRefusal, replyWithPage } from './reply.ts'
import { startReconnectRun, startNewRun, startShortLinkRun } from './run/start-run.ts'
import { AccountCheckQueue } from './run/account-check-queue.ts'
import type { LinkDeps } from './link-deps.ts'
import { returnFromProvider } from './run/oauth.ts'
import { type Asset, assets } from './pages/assets.ts'
import { handleForm } from './run/run-forms.ts'
import { showRun } from './run/run-page.ts'
import { readRequestContext } from './request-context.ts'

export interface LinkOptions
  extends Omit<ConnectionCommandDeps, 'db'>, Pick<LinkDeps, 'baseUrl' | 'limits' | 'keyUses' | 'log'> {
  readonly db: ConnectionCommandDeps['db'] & { inBackground(): ConnectionCommandDeps['db'] }
}

/** Mounts the link pages under /link. Close the returned queue before the database, which its checks use. */
export function mountLink(app: FastifyInstance, options: LinkOptions): AccountCheckQueue {
  const checks = new AccountCheckQueue({ ...options, db: options.db.inBackground() })
  const deps: LinkDeps = { ...options, checks }
  app.register(async (link) => mountPages(link, deps), { prefix: '/link' })
  return checks
}

type RunRoute = { Params: { token: string } }
type ShortLinkRoute = { Params: { code: string } }
type ConnectionRoute = { Params: { id: string } }

function mountPages(link: FastifyInstance, deps: LinkDeps): void {
  const context = (request: FastifyRequest) => readRequestContext(request, deps)
  link.removeAllContentTypeParsers()
  link.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, text),
  )
  link.setNotFoundHandler((request, reply) => replyWithRefusal(reply, context(request), 'not_found'))
  link.setErrorHandler((error, request, reply) => handleError(error, request, reply, deps))
  link.get('/', (request, reply) => startNewRun(deps, context(request), reply))
  link.get<ShortLinkRoute>('/s/:code', (request, reply) =>
    startShortLinkRun(deps, context(request), reply, request.params.code),
  )
  link.get<ConnectionRoute>('/connection/:id', (request, reply) =>
    startReconnectRun(deps, context(request), reply, request.params.id),
  )
  link.get<RunRoute>('/run/:token', (request, reply) =>
    showRun(deps, context(request), reply, request.params.token),
  )
  link.post<RunRoute>('/run/:token', (request, reply) =>
    handleForm(deps, context(request), reply, { request, token: request.params.token }),
  )
  link.get('/oauth/callback', (request, reply) => returnFromProvider(deps, context(request), reply, request))
  link.get('/agreement', (request, reply) =>
    replyWithPage(reply, context(request), { view: { step: 'agreement' } }),
  )
  for (const asset of assets) link.get(asset.path, (_request, reply) => serve(reply, asset))
}

/** A file with a hash in its name never changes. */
const HASHED = /\.[0-9a-f]{8,}\.\w+$/

function serve(reply: FastifyReply, { path, type, body }: Asset): FastifyReply {
  reply.isCompressible = true
  return reply
    .headers({
      'content-type': type,
      'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    .send(body)
}

/**
 * Refuses requests above the rate limits and unreadable requests. Any other error is an internal error and is
 * logged.
 */
function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: LinkDeps,
): FastifyReply {
  const context = readRequestContext(request, deps)
  if (isPublic(error) && error.code === 'too_many_requests') {
    void reply.header('retry-after', error.retryAfterSeconds)
    return replyWithRefusal(reply, context, 'too_many')
  }
  const { statusCode = 500 } = error as { statusCode?: number }
  if (statusCode < 500) return replyWithRefusal(reply, context, 'bad_parameter', { status: statusCode })
  request.log.error({ err: error }, 'link page failed')
  return replyWithRefusal(reply, context, 'our_fault')
}
