import type { FastifyReply, FastifyRequest } from 'fastify'
import { agreeToShare } from '../subgraphs/connections/linking/agree-to-share.ts'
import { chooseProvider, chooseSignIn } from '../subgraphs/connections/linking/choose-provider.ts'
import { cancelLinkRun, goBack } from '../subgraphs/connections/linking/leave-link-run.ts'
import { requestProvider, unsupportedIn } from '../subgraphs/connections/linking/request-provider.ts'
import { signInToRun } from '../subgraphs/connections/linking/sign-in-to-run.ts'
import { goTo, refuse } from './answer.ts'
import { runAddress } from './begin.ts'
import { checkIfReady } from './checks.ts'
import { languageIn } from './language.ts'
import type { LinkFrom } from './link-from.ts'
import { leaveForProvider } from './oauth.ts'
import { findRun, type FoundRun, showView } from './run-page.ts'
import type { View } from './view.ts'
import { agreementOf, requestView } from './view-of.ts'
import { isForeign, type Visit } from './visit.ts'

interface Sent {
  readonly from: LinkFrom
  readonly visit: Visit
  readonly request: FastifyRequest
  readonly found: FoundRun
  readonly form: URLSearchParams
}

/**
 * What a form does to a run; after those that may have given all that is needed, the account is looked at. A view is
 * shown in its place: what was typed in is corrected there, and is not stored.
 */
const deeds: Readonly<Record<string, (sent: Sent) => Promise<'checks' | View | void>>> = {
  choose: ({ from, found, form }) => chooseProvider(from, found.run, form.get('provider')),
  way: ({ from, found, form }) => chooseSignIn(from, found.run, form.get('way') ?? ''),
  back: ({ from, found }) => goBack(from, found.run),
  cancel: ({ from, found }) => cancelLinkRun(from, found.run),
  async sign_in({ from, found, form }) {
    await signInToRun(from, found.run, (name) => form.get(name))
    return 'checks'
  },
  async agree(sent) {
    if (sent.form.has('agreed')) await agreeToShare(sent.from, sent.found.run, consentIn(sent))
    return 'checks'
  },
  retry: async () => 'checks',
  async request({ from, visit, found: { run }, form }) {
    const typed = (name: string) => (form.get(name) ?? '').trim().slice(0, LONGEST_TYPED)
    const request = {
      provider: typed('provider'),
      contactEmail: typed('contactEmail'),
      dotNumber: typed('dotNumber'),
    }
    const wrong = await requestProvider(from, run, request, visit.remoteAddress)
    const unsupported = unsupportedIn(from, run)
    if (unsupported && wrong.length > 0) return requestView(run, unsupported, request, wrong)
  },
}

/** More than is taken, and little to show again. */
const LONGEST_TYPED = 400

const consentIn = ({ found, visit, request }: Sent) => ({
  agreementUrl: agreementOf(found.application, visit),
  ipAddress: visit.remoteAddress,
  userAgent: request.headers['user-agent'] ?? null,
})

/** Whether the page of a form is about another provider than the run is at by now: in another tab the fleet went on. */
const isOfAnotherPage = (form: URLSearchParams, { run }: FoundRun): boolean =>
  form.has('at') && form.get('at') !== run.provider && form.get('do') !== 'cancel'

/** Takes a form of a run's page; the answer sends the browser to the page of the step that follows. */
export async function takeForm(
  from: LinkFrom,
  visit: Visit,
  reply: FastifyReply,
  { request, token }: { readonly request: FastifyRequest<{ Body: unknown }>; readonly token: string },
): Promise<FastifyReply> {
  if (isForeign(request)) return refuse(reply, visit, 'foreign_page')
  const found = await findRun(from, token)
  if ('why' in found) return refuse(reply, visit, found.why, found)
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  const asked = languageIn(form) ?? visit.asked
  const does = form.get('do') ?? ''
  if (isOfAnotherPage(form, found)) return goTo(reply, runAddress(visit.base, token, asked))
  if (does === 'oauth') return leaveForProvider(from, { ...visit, asked }, reply, found)
  const deed = Object.hasOwn(deeds, does) ? deeds[does] : undefined
  const after = await deed?.({ from, visit, request, found, form })
  if (after === 'checks') await checkIfReady(from, visit, token)
  else if (after)
    return showView(from, { ...visit, asked, language: asked ?? visit.language }, reply, found, after)
  return goTo(reply, runAddress(visit.base, token, asked))
}
