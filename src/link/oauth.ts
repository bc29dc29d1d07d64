import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginOAuth, endOAuth, OAUTH_MS } from '../subgraphs/connections/linking/oauth-sign-in.ts'
import type { LinkRun } from '../subgraphs/connections/linking/link-run.ts'
import { linkApplication } from '../subgraphs/connections/linking/link-application.ts'
import { goTo, refuse, show } from './answer.ts'
import { runAddress } from './begin.ts'
import { checkIfReady } from './checks.ts'
import type { LinkFrom } from './link-from.ts'
import type { FoundRun } from './run-page.ts'
import type { Visit } from './visit.ts'

/** Sends a fleet to its provider to sign in there. Its browser keeps what shows, on its return, that it is the same. */
export async function leaveForProvider(
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  { run, token }: FoundRun,
): Promise<FastifyReply> {
  const settings = { ...run.settings, ...(visit.asked === null ? {} : { language: visit.asked }) }
  const left = await beginOAuth(from, run, redirectUriOf(visit), settings)
  if (!left) return goTo(reply, runAddress(visit.base, token, visit.asked))
  // The run's token comes back with the browser that has it: only its hash is stored.
  void reply.header('set-cookie', cookie(visit, run, `${left.binding}.${token}`, OAUTH_MS / 1000))
  return goTo(reply, left.authorizeUrl)
}

/** Takes a fleet back from its provider. */
export async function returnFromProvider(
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  request: FastifyRequest,
): Promise<FastifyReply> {
  const { query } = visit
  let token = ''
  const run = await endOAuth(from, {
    state: query.get('state') ?? '',
    code: query.get('code'),
    error: query.get('error'),
    redirectUri: redirectUriOf(visit),
    bindingOf(run) {
      const [binding = '', its = ''] = cookieIn(request, cookieName(visit, run)).split('.')
      token = its
      return binding === '' ? null : binding
    },
  })
  if (!run) return refuse(reply, visit, 'bad_state')
  void reply.header('set-cookie', cookie(visit, run, '', 0))
  await checkIfReady(from, visit, token)
  if (run.settings.framedBy === undefined)
    return goTo(reply, runAddress(visit.base, token, run.settings.language))
  const application = await linkApplication(from.db, run.applicationId)
  return show(
    reply,
    { ...visit, language: run.settings.language ?? visit.language },
    {
      view: { step: 'return' },
      application,
    },
  )
}

const redirectUriOf = ({ address }: Visit): string => `${address}/oauth/callback`

const isSecure = ({ address }: Visit): boolean => address.startsWith('https:')

/** Browsers take a name that begins so over https alone. */
const cookieName = (visit: Visit, { id }: Pick<LinkRun, 'id'>): string =>
  `${isSecure(visit) ? '__Secure-' : ''}link_${id}`

const cookie = (visit: Visit, run: LinkRun, value: string, maxAgeSeconds: number): string =>
  [
    `${cookieName(visit, run)}=${value}`,
    `Path=${new URL(redirectUriOf(visit)).pathname}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(visit) ? ['Secure'] : []),
  ].join('; ')

function cookieIn({ headers }: FastifyRequest, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
