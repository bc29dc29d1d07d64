import type { FastifyReply } from 'fastify'
import { resetLostCheck } from '../../subgraphs/connections/linking/check-account.ts'
import { clearSignIn } from '../../subgraphs/connections/linking/cancel-link-run.ts'
import {
  type LinkApplication,
  linkApplication,
} from '../../subgraphs/connections/linking/link-application.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'
import {
  isExpired,
  hasUsedUpSignIns,
  findRunByToken,
} from '../../subgraphs/connections/linking/link-run-repository.ts'
import { isAvailable } from '../../subgraphs/connections/providers/available-providers.ts'
import { issuePublicToken } from '../../subgraphs/connections/tokens/issue-public-token.ts'
import { redirectTo, replyWithRefusal, replyWithPage } from '../reply.ts'
import { runUrl } from './start-run.ts'
import type { LinkDeps } from '../link-deps.ts'
import type { LinkRefusal, View } from '../view.ts'
import { providerSummaryOf, selectView, stepsOf } from './select-view.ts'
import { originOf, type LinkRequestContext } from '../request-context.ts'
import { type LinkResult, redirectUrlFor } from './redirect-url.ts'

/** Run with its application. */
export interface FoundRun {
  readonly run: LinkRun
  readonly application: LinkApplication
  readonly token: string
}

/** Reason why a run is refused. A run that exists has an application and may have a host page. */
interface RunRefusal {
  readonly why: LinkRefusal
  readonly application?: LinkApplication
  readonly host?: string | undefined
}

/** Finds the run of a token. Returns a refusal if there is none, or if it cannot continue. */
export async function findRun(deps: LinkDeps, token: string): Promise<FoundRun | RunRefusal> {
  const run = await findRunByToken(deps.db, token)
  const application = run && (await linkApplication(deps.db, run.applicationId))
  if (!run || !application) return { why: 'not_found' }
  const why = refusalOf(deps, run, application)
  if (why === null) return { run, application, token }
  await clearSignIn(deps, run)
  return { why, application, host: hostOf(run) }
}

/** Returns why a run cannot continue; null if it can. */
function refusalOf(
  { clock, limits, registry }: LinkDeps,
  run: LinkRun,
  application: LinkApplication,
): LinkRefusal | null {
  if (isExpired(run, clock.now())) return 'expired'
  if (hasUsedUpSignIns(run, limits)) return 'too_many_sign_ins'
  const provider = run.status === 'open' && run.provider !== null ? registry.find(run.provider) : null
  return provider && !isAvailable(provider.manifest, application) ? 'sandbox_provider' : null
}

/** Returns the origin of the page that frames a run or opened its window. */
const hostOf = ({ settings: { framedBy, openedBy } }: LinkRun): string | undefined => framedBy ?? openedBy

/** Shows the current step of a run, or its end. */
export async function showRun(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  token: string,
): Promise<FastifyReply> {
  const found = await findRun(deps, token)
  if ('why' in found) return replyWithRefusal(reply, context, found.why, found)
  const run = await resetLostCheck(deps, found.run)
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
): FastifyReply => showStep(reply, context, found, view, formOriginsOf(deps, found.run, context))

function showStep(
  reply: FastifyReply,
  context: LinkRequestContext,
  { run, application, token }: FoundRun,
  view: View,
  formOrigins: readonly string[] = [],
): FastifyReply {
  return replyWithPage(reply, context, {
    view,
    application,
    formOrigins,
    host: hostOf(run),
    runUrl: runUrl(context.basePath, token, context.requestedLanguage),
    isFramed: isFramed(run, context),
    steps: stepsOf(run),
  })
}

/**
 * Whether the run is framed. Browsers report it only for navigations; for other requests the state at the
 * start of the run applies.
 */
const isFramed = ({ settings }: LinkRun, context: LinkRequestContext): boolean =>
  context.isFramed ?? settings.framedBy !== undefined

/** Returns the origins to which a form of the run may redirect: of the provider and of the integrator. */
function formOriginsOf({ registry }: LinkDeps, run: LinkRun, { baseUrl }: LinkRequestContext): string[] {
  const client = run.provider === null ? undefined : registry.find(run.provider)?.oauth
  const redirectUri = `${baseUrl}/oauth/callback`
  return [
    originOf(client?.authorizeUrl({ state: '', challenge: '', redirectUri })),
    originOf(run.settings.redirectUrl),
  ].filter((origin) => origin !== null)
}

/**
 * Shows the end of a run. In a frame, the page notifies its host page. Otherwise the fleet is redirected to the
 * integrator, if the run has a redirect URL. Each request creates a new public token, because the integrator may
 * already have exchanged an earlier one.
 */
async function showEnd(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  found: FoundRun,
): Promise<FastifyReply> {
  const { run, application } = found
  const outcome = await outcomeOf(deps, run)
  const backTo = redirectUrlFor(run, application, outcome)
  if (backTo !== null && !isFramed(run, context)) return redirectTo(reply, backTo)
  if (outcome.result !== 'success') {
    const step = outcome.result === 'cancelled' ? 'cancelled' : 'requested'
    return showStep(reply, context, found, { step, backTo })
  }
  const provider = run.provider === null ? null : deps.registry.find(run.provider)
  if (!provider) return replyWithRefusal(reply, context, 'unknown_provider', { application })
  return showStep(reply, context, found, {
    step: 'done',
    provider: providerSummaryOf(provider.manifest),
    isAgain: run.isAgain === 1,
    publicToken: outcome.token,
    backTo,
  })
}

async function outcomeOf(
  { db, clock }: LinkDeps,
  { status, connectionId, applicationId }: LinkRun,
): Promise<LinkResult> {
  if (status === 'requested') return { result: 'provider_requested' }
  if (status !== 'done' || connectionId === null) return { result: 'cancelled' }
  const token = await issuePublicToken(db, { id: connectionId, applicationId }, clock.now())
  return { result: 'success', token }
}
