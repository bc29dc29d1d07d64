import type { FastifyReply } from 'fastify'
import { giveUpCheck } from '../../subgraphs/connections/linking/check-account.ts'
import { clearSignIn } from '../../subgraphs/connections/linking/cancel-link-run.ts'
import {
  type LinkApplication,
  linkApplication,
} from '../../subgraphs/connections/linking/link-application.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'
import {
  isExpired,
  isSpent,
  findRunByToken,
} from '../../subgraphs/connections/linking/link-run-repository.ts'
import { issuePublicToken } from '../../subgraphs/connections/tokens/issue-public-token.ts'
import { redirectTo, replyWithRefusal, replyWithPage } from '../reply.ts'
import { sessionUrl } from './start-session.ts'
import type { LinkDeps } from '../link-deps.ts'
import type { LinkRefusal, View } from '../view.ts'
import { faceOf, selectView } from './select-view.ts'
import { originOf, type LinkRequestContext } from '../request-context.ts'
import { type LinkResult, redirectUrlFor } from './redirect-url.ts'

/** A run with whom it is for. */
export interface FoundRun {
  readonly run: LinkRun
  readonly application: LinkApplication
  readonly token: string
}

/** Why there is nothing to show of a run, and for whose pages it was. */
interface RunNotFound {
  readonly why: LinkRefusal
  readonly application?: LinkApplication
  readonly host?: string | undefined
}

/** The run of a token, or why there is nothing to show of it. */
export async function findRun(deps: LinkDeps, token: string): Promise<FoundRun | RunNotFound> {
  const run = await findRunByToken(deps.db, token)
  const application = run && (await linkApplication(deps.db, run.applicationId))
  if (!run || !application) return { why: 'not_found' }
  const isOver = isExpired(run, deps.clock.now())
  if (!isOver && !isSpent(run, deps.limits)) return { run, application, token }
  await clearSignIn(deps, run)
  return { why: isOver ? 'expired' : 'too_many_sign_ins', application, host: hostOf(run) }
}

/** The origin of the page that frames a run or has opened it in a window. */
const hostOf = ({ settings: { framedBy, openedBy } }: LinkRun): string | undefined => framedBy ?? openedBy

/** Shows where a run is; one that has ended sends the fleet back to the integrator. */
export async function showRun(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  token: string,
): Promise<FastifyReply> {
  const found = await findRun(deps, token)
  if ('why' in found) return replyWithRefusal(reply, context, found.why, found)
  const run = await giveUpCheck(deps, found.run)
  if (run.status !== 'open' && run.status !== 'checking')
    return showEnd(deps, context, reply, { ...found, run })
  return showView(deps, context, reply, { ...found, run }, selectView(deps, run, found.application, context))
}

/** Shows a step of a run that has not ended. */
export const showView = (
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  found: FoundRun,
  view: View,
): FastifyReply => showStep(reply, context, found, view, leadsOf(deps, found.run, context))

function showStep(
  reply: FastifyReply,
  context: LinkRequestContext,
  { run, application, token }: FoundRun,
  view: View,
  leads: readonly string[] = [],
): FastifyReply {
  return replyWithPage(reply, context, {
    view,
    application,
    leads,
    host: hostOf(run),
    run: sessionUrl(context.base, token, context.asked),
    isFramed: isFramed(run, context),
  })
}

/** Browsers tell it of pages, not of what a page asks for by itself; then it is as it was at the beginning. */
const isFramed = ({ settings }: LinkRun, context: LinkRequestContext): boolean =>
  context.isFramed ?? settings.framedBy !== undefined

/** The origins at which a form of the run may end. */
function leadsOf({ registry }: LinkDeps, run: LinkRun, { address }: LinkRequestContext): string[] {
  const client = run.provider === null ? undefined : registry.find(run.provider)?.oauth
  const redirectUri = `${address}/oauth/callback`
  return [
    originOf(client?.authorizeUrl({ state: '', challenge: '', redirectUri })),
    originOf(run.settings.redirectUrl),
  ].filter((origin) => origin !== null)
}

/**
 * In a frame the page tells the one that frames it. Elsewhere the fleet is sent back, each time with a public token of
 * its own: a page that is asked for again, or gone back to, does not hand out a spent one.
 */
async function showEnd(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  found: FoundRun,
): Promise<FastifyReply> {
  const { run, application } = found
  const ending = await endingOf(deps, run)
  const backTo = redirectUrlFor(run, application, ending)
  if (backTo !== null && !isFramed(run, context)) return redirectTo(reply, backTo)
  if (ending.result !== 'success') {
    const step = ending.result === 'cancelled' ? 'cancelled' : 'requested'
    return showStep(reply, context, found, { step, backTo })
  }
  const provider = run.provider === null ? null : deps.registry.find(run.provider)
  if (!provider) return replyWithRefusal(reply, context, 'unknown_provider', { application })
  return showStep(reply, context, found, {
    step: 'done',
    provider: faceOf(provider.manifest),
    isAgain: run.isAgain === 1,
    publicToken: ending.token,
    backTo,
  })
}

async function endingOf(
  { db, clock }: LinkDeps,
  { status, connectionId, applicationId }: LinkRun,
): Promise<LinkResult> {
  if (status === 'requested') return { result: 'provider_requested' }
  if (status !== 'done' || connectionId === null) return { result: 'cancelled' }
  const token = await issuePublicToken(db, { id: connectionId, applicationId }, clock.now())
  return { result: 'success', token }
}
