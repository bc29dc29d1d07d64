import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordConsent } from '../../subgraphs/connections/linking/record-consent.ts'
import { chooseProvider, chooseSignIn } from '../../subgraphs/connections/linking/choose-provider.ts'
import { cancelLinkRun, goBack } from '../../subgraphs/connections/linking/cancel-link-run.ts'
import {
  requestProvider,
  unsupportedProviderOf,
} from '../../subgraphs/connections/linking/request-provider.ts'
import { availableProviders } from '../../subgraphs/connections/providers/available-providers.ts'
import { storeSignIn } from '../../subgraphs/connections/linking/store-sign-in.ts'
import { redirectTo, replyWithRefusal } from '../reply.ts'
import { runUrl } from './start-run.ts'
import { enqueueCheckIfReady } from './enqueue-check.ts'
import { languageIn } from '../pages/i18n/language.ts'
import type { LinkDeps } from '../link-deps.ts'
import { redirectToProvider } from './oauth.ts'
import { findRun, type FoundRun, showView } from './run-page.ts'
import type { View } from '../view.ts'
import { agreementOf, requestView } from './select-view.ts'
import { isCrossOrigin, type LinkRequestContext } from '../request-context.ts'

interface FormSubmission {
  readonly deps: LinkDeps
  readonly context: LinkRequestContext
  readonly request: FastifyRequest
  readonly found: FoundRun
  readonly form: URLSearchParams
}

/**
 * Handlers of the forms, by the value of their field `do`. After `maybe-ready`, the account is checked if the run now
 * lacks only that. A returned view is shown instead of a redirect. It shows invalid input again for correction, because
 * the input is not stored.
 */
const formHandlers: Readonly<
  Record<string, (submission: FormSubmission) => Promise<'maybe-ready' | View | void>>
> = {
  choose: ({ deps: { db, registry }, found: { run, application }, form }) =>
    chooseProvider({ db, registry: availableProviders(registry, application) }, run, form.get('provider')),
  way: ({ deps, found, form }) => chooseSignIn(deps, found.run, form.get('way') ?? ''),
  back: ({ deps, found }) => goBack(deps, found.run),
  cancel: ({ deps, found }) => cancelLinkRun(deps, found.run),
  async sign_in({ deps, found, form }) {
    await storeSignIn(deps, found.run, (name) => form.get(name))
    return 'maybe-ready'
  },
  async agree(submission) {
    if (submission.form.has('agreed'))
      await recordConsent(submission.deps, submission.found.run, consentIn(submission))
    return 'maybe-ready'
  },
  retry: async () => 'maybe-ready',
  async request({ deps, context, found: { run }, form }) {
    const field = (name: string) => (form.get(name) ?? '').trim().slice(0, MAX_TYPED_LENGTH)
    const request = {
      provider: field('provider'),
      contactEmail: field('contactEmail'),
      dotNumber: field('dotNumber'),
    }
    const invalid = await requestProvider(deps, run, request, context.remoteAddress)
    const unsupported = unsupportedProviderOf(deps, run)
    if (unsupported && invalid.length > 0) return requestView(run, unsupported, request, invalid)
  },
}

/** Longer input is cut to this length. It stays invalid, and less of it is shown again: every field accepts less. */
const MAX_TYPED_LENGTH = 400

const consentIn = ({ found, context, request }: FormSubmission) => ({
  agreementUrl: agreementOf(found.application, context),
  ipAddress: context.remoteAddress,
  userAgent: request.headers['user-agent'] ?? null,
})

/**
 * Whether a form was shown for another provider than the current one of the run. This happens if the fleet has
 * continued in another tab.
 */
const isOfAnotherPage = (form: URLSearchParams, { run }: FoundRun): boolean =>
  form.has('at') && form.get('at') !== run.provider && form.get('do') !== 'cancel'

/** Handles a form of a page of the run, and redirects the browser to the page of the next step. */
export async function handleForm(
  deps: LinkDeps,
  context: LinkRequestContext,
  reply: FastifyReply,
  { request, token }: { readonly request: FastifyRequest<{ Body: unknown }>; readonly token: string },
): Promise<FastifyReply> {
  if (isCrossOrigin(request)) return replyWithRefusal(reply, context, 'foreign_page')
  const found = await findRun(deps, token)
  if ('why' in found) return replyWithRefusal(reply, context, found.why, found)
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  const requestedLanguage = languageIn(form) ?? context.requestedLanguage
  const action = form.get('do') ?? ''
  if (isOfAnotherPage(form, found))
    return redirectTo(reply, runUrl(context.basePath, token, requestedLanguage))
  if (action === 'oauth') return redirectToProvider(deps, { ...context, requestedLanguage }, reply, found)
  const handler = Object.hasOwn(formHandlers, action) ? formHandlers[action] : undefined
  const outcome = await handler?.({ deps, context, request, found, form })
  if (outcome === 'maybe-ready') await enqueueCheckIfReady(deps, context, token)
  else if (outcome)
    return showView(
      deps,
      { ...context, requestedLanguage, language: requestedLanguage ?? context.language },
      reply,
      found,
      outcome,
    )
  return redirectTo(reply, runUrl(context.basePath, token, requestedLanguage))
}
