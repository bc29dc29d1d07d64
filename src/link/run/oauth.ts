import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginOAuth, endOAuth, OAUTH_MS } from '../../subgraphs/connections/linking/oauth-sign-in.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'
import { linkApplication } from '../../subgraphs/connections/linking/link-application.ts'
import { redirectTo, replyWithRefusal, replyWithPage } from '../reply.ts'
import { runUrl } from './start-run.ts'
import { enqueueCheckIfReady } from './enqueue-check.ts'
import type { LinkDeps } from '../link-deps.ts'
import type { FoundRun } from './run-page.ts'
import type { LinkRequestContext } from '../request-context.ts'

/** Redirects a fleet to the sign-in at its provider. A cookie binds the sign-in to the browser that started it. */
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
  if (!redirect) return redirectTo(reply, runUrl(context.basePath, token, context.requestedLanguage))
  // The cookie also returns the token of the run, because the database has only its hash.
  void reply.header('set-cookie', cookie(context, run, `${redirect.binding}.${token}`, OAUTH_MS / 1000))
  return redirectTo(reply, redirect.authorizeUrl)
}

/**
 * Handles the return of a fleet from its provider. The fleet continues on the page of its run. If that page is in a
 * frame, the sign-in happened in another window, which then only shows that the fleet can return.
 */
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
    return redirectTo(reply, runUrl(context.basePath, token, run.settings.language))
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

const redirectUriOf = ({ baseUrl }: LinkRequestContext): string => `${baseUrl}/oauth/callback`

const isSecure = ({ baseUrl }: LinkRequestContext): boolean => baseUrl.startsWith('https:')

/** Returns the name of the cookie. Browsers accept the prefix `__Secure-` only over https. */
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
