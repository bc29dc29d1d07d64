import type { FastifyReply } from 'fastify'
import { giveUpCheck } from '../subgraphs/connections/linking/check-account.ts'
import { forgetSignIn } from '../subgraphs/connections/linking/leave-link-run.ts'
import { type LinkApplication, linkApplication } from '../subgraphs/connections/linking/link-application.ts'
import type { LinkRun } from '../subgraphs/connections/linking/link-run.ts'
import { isExpired, isSpent, runOfToken } from '../subgraphs/connections/linking/link-runs.ts'
import { issuePublicToken } from '../subgraphs/connections/tokens/issue-public-token.ts'
import { goTo, refuse, show } from './answer.ts'
import { runAddress } from './begin.ts'
import type { LinkFrom } from './link-from.ts'
import type { LinkRefusal, View } from './view.ts'
import { faceOf, viewOf } from './view-of.ts'
import { originOf, type Visit } from './visit.ts'
import { type Ending, wayBack } from './way-back.ts'

/** A run with whom it is for. */
export interface FoundRun {
  readonly run: LinkRun
  readonly application: LinkApplication
  readonly token: string
}

/** Why there is nothing to show of a run, and for whose pages it was. */
interface NoRun {
  readonly why: LinkRefusal
  readonly application?: LinkApplication
  readonly host?: string | undefined
}

/** The run of a token, or why there is nothing to show of it. */
export async function findRun(from: LinkFrom, token: string): Promise<FoundRun | NoRun> {
  const run = await runOfToken(from.db, token)
  const application = run && (await linkApplication(from.db, run.applicationId))
  if (!run || !application) return { why: 'not_found' }
  const isOver = isExpired(run, from.clock.now())
  if (!isOver && !isSpent(run, from.limits)) return { run, application, token }
  await forgetSignIn(from, run)
  return { why: isOver ? 'expired' : 'too_many_sign_ins', application, host: hostOf(run) }
}

/** The origin of the page that frames a run or has opened it in a window. */
const hostOf = ({ settings: { framedBy, openedBy } }: LinkRun): string | undefined => framedBy ?? openedBy

/** Shows where a run is; one that has ended sends the fleet back to the integrator. */
export async function showRun(
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  token: string,
): Promise<FastifyReply> {
  const found = await findRun(from, token)
  if ('why' in found) return refuse(reply, visit, found.why, found)
  const run = await giveUpCheck(from, found.run)
  if (run.status !== 'open' && run.status !== 'checking')
    return showEnd(from, visit, reply, { ...found, run })
  return showView(from, visit, reply, { ...found, run }, viewOf(from, run, found.application, visit))
}

/** Shows a step of a run that has not ended. */
export const showView = (
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  found: FoundRun,
  view: View,
): FastifyReply => showStep(reply, visit, found, view, leadsOf(from, found.run, visit))

function showStep(
  reply: FastifyReply,
  visit: Visit,
  { run, application, token }: FoundRun,
  view: View,
  leads: readonly string[] = [],
): FastifyReply {
  return show(reply, visit, {
    view,
    application,
    leads,
    host: hostOf(run),
    run: runAddress(visit.base, token, visit.asked),
    isFramed: isFramed(run, visit),
  })
}

/** Browsers tell it of pages, not of what a page asks for by itself; then it is as it was at the beginning. */
const isFramed = ({ settings }: LinkRun, visit: Visit): boolean =>
  visit.isFramed ?? settings.framedBy !== undefined

/** The origins at which a form of the run may end. */
function leadsOf({ registry }: LinkFrom, run: LinkRun, { address }: Visit): string[] {
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
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  found: FoundRun,
): Promise<FastifyReply> {
  const { run, application } = found
  const ending = await endingOf(from, run)
  const backTo = wayBack(run, application, ending)
  if (backTo !== null && !isFramed(run, visit)) return goTo(reply, backTo)
  if (ending.result !== 'success') {
    const step = ending.result === 'cancelled' ? 'cancelled' : 'requested'
    return showStep(reply, visit, found, { step, backTo })
  }
  const provider = run.provider === null ? null : from.registry.find(run.provider)
  if (!provider) return refuse(reply, visit, 'unknown_provider', { application })
  return showStep(reply, visit, found, {
    step: 'done',
    provider: faceOf(provider.manifest),
    isAgain: run.isAgain === 1,
    publicToken: ending.token,
    backTo,
  })
}

async function endingOf(
  { db, clock }: LinkFrom,
  { status, connectionId, applicationId }: LinkRun,
): Promise<Ending> {
  if (status === 'requested') return { result: 'provider_requested' }
  if (status !== 'done' || connectionId === null) return { result: 'cancelled' }
  const token = await issuePublicToken(db, { id: connectionId, applicationId }, clock.now())
  return { result: 'success', token }
}
