import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginOAuth, endOAuth, OAUTH_MS } from '../../subgraphs/connections/linking/oauth-sign-in.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'
import { linkApplication } from '../../subgraphs/connections/linking/link-application.ts'
import { redirectTo, replyWithRefusal, replyWithPage } from '../reply.ts'
import { sessionUrl } from './start-session.ts'
import { enqueueCheckIfReady } from './enqueue-check.ts'
import type { LinkDeps } from '../link-deps.ts'
import type { FoundRun } from './run-page.ts'
import type { LinkRequestContext } from '../request-context.ts'

/** Sends a fleet to its provider to sign in there. Its browser keeps what shows, on its return, that it is the same. */
export async function leaveForProvider(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  { run, token }: FoundRun,
): Promise<FastifyReply> {
  const settings = { ...run.settings, ...(context.asked === null ? {} : { language: context.asked }) }
  const left = await beginOAuth(deps, run, redirectUriOf(context), settings)
  if (!left) return redirectTo(reply, sessionUrl(context.base, token, context.asked))
  // The run's token comes back with the browser that has it: only its hash is stored.
  void reply.header('set-cookie', cookie(context, run, `${left.binding}.${token}`, OAUTH_MS / 1000))
  return redirectTo(reply, left.authorizeUrl)
}

/** Takes a fleet back from its provider. */
export async function returnFromProvider(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  request: FastifyRequest,
): Promise<FastifyReply> {
  const { query } = context
  let token = ''
  const run = await endOAuth(deps, {
    state: query.get('state') ?? '',
    code: query.get('code'),
    error: query.get('error'),
    redirectUri: redirectUriOf(context),
    bindingOf(run) {
      const [binding = '', its = ''] = cookieIn(request, cookieName(context, run)).split('.')
      token = its
      return binding === '' ? null : binding
    },
  })
  if (!run) return replyWithRefusal(reply, context, 'bad_state')
  void reply.header('set-cookie', cookie(context, run, '', 0))
  await enqueueCheckIfReady(deps, context, token)
  if (run.settings.framedBy === undefined)
    return redirectTo(reply, sessionUrl(context.base, token, run.settings.language))
  const application = await linkApplication(deps.db, run.applicationId)
  return replyWithPage(
    reply,
    { ...context, language: run.settings.language ?? context.language },
    {
      view: { step: 'return' },
      application,
    },
  )
}

const redirectUriOf = ({ address }: LinkRequestContext): string => `${address}/oauth/callback`

const isSecure = ({ address }: LinkRequestContext): boolean => address.startsWith('https:')

/** Browsers take a name that begins so over https alone. */
const cookieName = (context: LinkRequestContext, { id }: Pick<LinkRun, 'id'>): string =>
  `${isSecure(context) ? '__Secure-' : ''}link_${id}`

const cookie = (context: LinkRequestContext, run: LinkRun, value: string, maxAgeSeconds: number): string =>
  [
    `${cookieName(context, run)}=${value}`,
    `Path=${new URL(redirectUriOf(context)).pathname}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(context) ? ['Secure'] : []),
  ].join('; ')

function cookieIn({ headers }: FastifyRequest, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
