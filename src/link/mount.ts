import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPublic } from '../errors.ts'
import type { ConnectionWritesFrom } from '../subgraphs/connections/writes-from.ts'
import type { Database } from '../storage/database.ts'
import { addressesIn } from '../outgoing/special-addresses.ts'
import { refuse, show } from './answer.ts'
import { beginAgain, beginNew, beginShort } from './begin.ts'
import { Checks } from './checks.ts'
import type { LinkFrom } from './link-from.ts'
import { returnFromProvider } from './oauth.ts'
import { type Asset, assets } from './pages/assets.ts'
import { takeForm } from './run-forms.ts'
import { showRun } from './run-page.ts'
import { visitOf } from './visit.ts'

export interface LinkOptions
  extends Omit<ConnectionWritesFrom, 'db'>, Pick<LinkFrom, 'address' | 'limits' | 'keyUses' | 'log'> {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction' | 'inBackground'>
  /** The proxies before the service, as addresses and ranges of them; none where nobody has said. */
  readonly proxies: readonly string[]
}

/** Serves the pages on which fleets link their accounts, under /link. What is given is closed before the database. */
export function mountLink(app: FastifyInstance, options: LinkOptions): Checks {
  const checks = new Checks({ ...options, db: options.db.inBackground() })
  const isProxy = options.proxies.length > 0 ? addressesIn(options.proxies) : null
  const from: LinkFrom = { ...options, isProxy, checks }
  app.register(async (link) => mountPages(link, from), { prefix: '/link' })
  return checks
}

type OfRun = { Params: { token: string } }
type OfShortLink = { Params: { code: string } }
type OfConnection = { Params: { id: string } }

function mountPages(link: FastifyInstance, from: LinkFrom): void {
  const visit = (request: FastifyRequest) => visitOf(request, from)
  link.removeAllContentTypeParsers()
  link.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, text),
  )
  link.setNotFoundHandler((request, reply) => refuse(reply, visit(request), 'not_found'))
  link.setErrorHandler((error, request, reply) => fail(error, request, reply, from))
  link.get('/', (request, reply) => beginNew(from, visit(request), reply))
  link.get<OfShortLink>('/s/:code', (request, reply) =>
    beginShort(from, visit(request), reply, request.params.code),
  )
  link.get<OfConnection>('/connection/:id', (request, reply) =>
    beginAgain(from, visit(request), reply, request.params.id),
  )
  link.get<OfRun>('/run/:token', (request, reply) =>
    showRun(from, visit(request), reply, request.params.token),
  )
  link.post<OfRun>('/run/:token', (request, reply) =>
    takeForm(from, visit(request), reply, { request, token: request.params.token }),
  )
  link.get('/oauth/callback', (request, reply) => returnFromProvider(from, visit(request), reply, request))
  link.get('/agreement', (request, reply) => show(reply, visit(request), { view: { step: 'agreement' } }))
  for (const asset of assets) link.get(asset.path, (_request, reply) => serve(reply, asset))
}

/** One whose name has a hash in it never changes. */
const HASHED = /\.[0-9a-f]{8,}\.\w+$/

const serve = (reply: FastifyReply, { path, type, body }: Asset): FastifyReply =>
  reply
    .headers({
      'content-type': type,
      'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
    })
    .send(body)

/** What comes too often or cannot be read is refused; anything else is our fault, and stands in the log. */
function fail(error: unknown, request: FastifyRequest, reply: FastifyReply, from: LinkFrom): FastifyReply {
  const visit = visitOf(request, from)
  if (isPublic(error) && error.code === 'too_many_requests') {
    void reply.header('retry-after', error.retryAfterSeconds)
    return refuse(reply, visit, 'too_many')
  }
  const { statusCode = 500 } = error as { statusCode?: number }
  if (statusCode < 500) return refuse(reply, visit, 'bad_parameter', { status: statusCode })
  request.log.error({ err: error }, 'a link page failed')
  return refuse(reply, visit, 'our_fault')
}
