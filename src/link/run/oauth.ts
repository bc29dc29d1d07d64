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

/** Redirects a fleet to the sign-in of its provider. A cookie binds the sign-in to the browser. */
export async function redirectToProvider(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  { run, token }: FoundRun,
): Promise<FastifyReply> {
  const settings = {
    ...run.settings,
    ...(context.requestedLanguage === null ? {} : { language: context.requestedLanguage }),
  }
  const redirect = await beginOAuth(deps, run, redirectUriOf(context), settings)
  if (!redirect) return redirectTo(reply, sessionUrl(context.base, token, context.requestedLanguage))
  // The cookie also returns the token of the run, because the database has only its hash.
  void reply.header('set-cookie', cookie(context, run, `${redirect.binding}.${token}`, OAUTH_MS / 1000))
  return redirectTo(reply, redirect.authorizeUrl)
}

/** Handles the return of a fleet from its provider. */
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
      const [binding = '', cookieToken = ''] = readCookie(request, cookieName(context, run)).split('.')
      token = cookieToken
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

/** Browsers accept a cookie name with this prefix only over https. */
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

function readCookie({ headers }: FastifyRequest, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
