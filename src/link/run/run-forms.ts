import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordConsent } from '../../subgraphs/connections/linking/record-consent.ts'
import { chooseProvider, chooseSignIn } from '../../subgraphs/connections/linking/choose-provider.ts'
import { cancelLinkRun, goBack } from '../../subgraphs/connections/linking/cancel-link-run.ts'
import { requestProvider, unsupportedIn } from '../../subgraphs/connections/linking/request-provider.ts'
import { storeSignIn } from '../../subgraphs/connections/linking/store-sign-in.ts'
import { redirectTo, replyWithRefusal } from '../reply.ts'
import { sessionUrl } from './start-session.ts'
import { enqueueCheckIfReady } from './enqueue-check.ts'
import { languageIn } from '../pages/i18n/language.ts'
import type { LinkDeps } from '../link-deps.ts'
import { leaveForProvider } from './oauth.ts'
import { findRun, type FoundRun, showView } from './run-page.ts'
import type { View } from '../view.ts'
import { agreementOf, requestView } from './select-view.ts'
import { isForeign, type LinkRequestContext } from '../request-context.ts'

interface Sent {
  readonly deps: LinkDeps
  readonly context: LinkRequestContext
  readonly request: FastifyRequest
  readonly found: FoundRun
  readonly form: URLSearchParams
}

/**
 * What a form does to a run; after those that may have given all that is needed, the account is looked at. A view is
 * shown in its place: what was typed in is corrected there, and is not stored.
 */
const formHandlers: Readonly<Record<string, (sent: Sent) => Promise<'checks' | View | void>>> = {
  choose: ({ deps, found, form }) => chooseProvider(deps, found.run, form.get('provider')),
  way: ({ deps, found, form }) => chooseSignIn(deps, found.run, form.get('way') ?? ''),
  back: ({ deps, found }) => goBack(deps, found.run),
  cancel: ({ deps, found }) => cancelLinkRun(deps, found.run),
  async sign_in({ deps, found, form }) {
    await storeSignIn(deps, found.run, (name) => form.get(name))
    return 'checks'
  },
  async agree(sent) {
    if (sent.form.has('agreed')) await recordConsent(sent.deps, sent.found.run, consentIn(sent))
    return 'checks'
  },
  retry: async () => 'checks',
  async request({ deps, context, found: { run }, form }) {
    const typed = (name: string) => (form.get(name) ?? '').trim().slice(0, MAX_TYPED_LENGTH)
    const request = {
      provider: typed('provider'),
      contactEmail: typed('contactEmail'),
      dotNumber: typed('dotNumber'),
    }
    const wrong = await requestProvider(deps, run, request, context.remoteAddress)
    const unsupported = unsupportedIn(deps, run)
    if (unsupported && wrong.length > 0) return requestView(run, unsupported, request, wrong)
  },
}

/** More than is taken, and little to show again. */
const MAX_TYPED_LENGTH = 400

const consentIn = ({ found, context, request }: Sent) => ({
  agreementUrl: agreementOf(found.application, context),
  ipAddress: context.remoteAddress,
  userAgent: request.headers['user-agent'] ?? null,
})

/** Whether the page of a form is about another provider than the run is at by now: in another tab the fleet went on. */
const isOfAnotherPage = (form: URLSearchParams, { run }: FoundRun): boolean =>
  form.has('at') && form.get('at') !== run.provider && form.get('do') !== 'cancel'

/** Takes a form of a run's page; the answer sends the browser to the page of the step that follows. */
export async function handleForm(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  { request, token }: { readonly request: FastifyRequest<{ Body: unknown }>; readonly token: string },
): Promise<FastifyReply> {
  if (isForeign(request)) return replyWithRefusal(reply, context, 'foreign_page')
  const found = await findRun(deps, token)
  if ('why' in found) return replyWithRefusal(reply, context, found.why, found)
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  const asked = languageIn(form) ?? context.asked
  const does = form.get('do') ?? ''
  if (isOfAnotherPage(form, found)) return redirectTo(reply, sessionUrl(context.base, token, asked))
  if (does === 'oauth') return leaveForProvider(deps, { ...context, asked }, reply, found)
  const deed = Object.hasOwn(formHandlers, does) ? formHandlers[does] : undefined
  const after = await deed?.({ deps, context, request, found, form })
  if (after === 'checks') await enqueueCheckIfReady(deps, context, token)
  else if (after)
    return showView(deps, { ...context, asked, language: asked ?? context.language }, reply, found, after)
  return redirectTo(reply, sessionUrl(context.base, token, asked))
}
