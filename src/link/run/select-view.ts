import { models } from '../../domain/models/models.ts'
import type { Manifest } from '../../providers/provider.ts'
import type { Registry } from '../../providers/registry.ts'
import { unsupportedProviders, type UnsupportedProvider } from '../../providers/unsupported-providers.ts'
import { isLinkable } from '../../subgraphs/connections/linking/validate-settings.ts'
import { availableProviders } from '../../subgraphs/connections/providers/available-providers.ts'
import { chosenWay, mayChoose, signInWaysOf } from '../../subgraphs/connections/linking/choose-provider.ts'
import type { LinkApplication } from '../../subgraphs/connections/linking/link-application.ts'
import type { LinkRun } from '../../subgraphs/connections/linking/link-run.ts'
import { decryptCredentials } from '../../subgraphs/connections/linking/link-run-repository.ts'
import { hasConsented } from '../../subgraphs/connections/linking/record-consent.ts'
import { isTransientProblem } from '../../subgraphs/connections/linking/link-error.ts'
import {
  type LinkProviderRequest,
  unsupportedProviderOf,
} from '../../subgraphs/connections/linking/request-provider.ts'
import type { LinkDeps } from '../link-deps.ts'
import {
  type LinkStep,
  linkSteps,
  type ProviderSummary,
  type ConsentCategory,
  consentCategories,
  type View,
} from '../view.ts'
import type { LinkRequestContext } from '../request-context.ts'

/** Returns the view of an open or checking run: the first step that is not complete. */
export function selectView(
  deps: LinkDeps,
  run: LinkRun,
  application: LinkApplication,
  context: LinkRequestContext,
): View {
  const unsupported = unsupportedProviderOf(deps, run)
  if (unsupported) return requestView(run, unsupported)
  const provider = run.provider === null ? null : deps.registry.find(run.provider)
  const chosen = chosenWay(deps, run)
  if (!provider || !chosen) {
    if (!mayChoose(run)) return { step: 'refused', why: 'unknown_provider' }
    const available = availableProviders(deps.registry, application)
    const search = (context.query.get('q') ?? '').trim().slice(0, 100)
    return { step: 'choose', providers: searchProviders(available, run, search), search }
  }
  const summary = providerSummaryOf(provider.manifest)
  if (run.status === 'checking') return { step: 'checking', provider: summary, isSlow: isSlow(deps, run) }
  if (run.credentialsSealed === '' || run.problem !== null || hasConsented(run))
    return signInView(deps, run, summary)
  const agreementUrl =
    application.agreementUrl ?? `${agreementOf(application, context)}?lang=${context.language}`
  return {
    step: 'consent',
    provider: summary,
    categories: consentCategoriesOf(provider.manifest),
    agreementUrl,
  }
}

/** Returns the steps of a run: only those that its fleet has to take. */
export const stepsOf = (run: LinkRun): readonly LinkStep[] =>
  linkSteps.filter((step) => {
    if (step === 'choose') return mayChoose(run)
    return step !== 'consent' || run.settings.hasAgreed !== true
  })

/** Time after which a check counts as slow. `link.js` has the same value for a page that stays open. */
const SLOW_AFTER_MS = 12_000

const isSlow = ({ clock }: Pick<LinkDeps, 'clock'>, { checkedSince }: LinkRun): boolean =>
  clock.now() - (checkedSince ?? 0) >= SLOW_AFTER_MS

/** Returns the URL of the agreement of the application, or of the default agreement. */
export const agreementOf = (
  { agreementUrl }: Pick<LinkApplication, 'agreementUrl'>,
  { baseUrl }: Pick<LinkRequestContext, 'baseUrl'>,
): string => agreementUrl ?? `${baseUrl}/agreement`

export const providerSummaryOf = (manifest: Manifest): ProviderSummary => ({
  code: manifest.code,
  name: manifest.name,
  icon: manifest.icon,
  isLinkable: isLinkable(manifest),
  isSandbox: manifest.status === 'sandbox',
})

const EMPTY_REQUEST: LinkProviderRequest = { provider: '', contactEmail: '', dotNumber: '' }

export const requestView = (
  run: LinkRun,
  { code, name, icon }: UnsupportedProvider,
  typed: LinkProviderRequest = EMPTY_REQUEST,
  wrong: readonly (keyof LinkProviderRequest)[] = [],
): View => ({
  step: 'request',
  provider: name === '' ? null : { code, name, icon, isLinkable: false },
  typed,
  wrong,
  mayChooseAnother: mayChoose(run),
})

function signInView(deps: LinkDeps, run: LinkRun, provider: ProviderSummary): View {
  const ways = signInWaysOf(deps, run)
  const chosen = chosenWay(deps, run) as (typeof ways)[number]
  const credentials = decryptCredentials(deps.secrets, run)
  const visibleFields = chosen.kind === 'form' ? chosen.fields.filter(({ kind }) => kind !== 'password') : []
  return {
    step: 'sign_in',
    provider,
    ways: [chosen, ...ways.filter((way) => way !== chosen)],
    chosen,
    typed: Object.fromEntries(
      visibleFields.flatMap(({ name }) =>
        credentials?.[name] === undefined ? [] : [[name, credentials[name]]],
      ),
    ),
    problem: run.problem,
    mayRetry: credentials !== null && isTransientProblem(run.problem),
    isAgain: run.isAgain === 1,
    mayChooseAnother: mayChoose(run),
  }
}

/**
 * Returns the matching providers. Suggested ones come first, in the order of the suggestions. Then come providers that
 * can be connected, then the others, each by name.
 */
function searchProviders(registry: Registry, { settings }: LinkRun, search: string): ProviderSummary[] {
  const hints = settings.providerHints ?? []
  const rank = (provider: ProviderSummary) => {
    const hint = hints.indexOf(provider.code)
    return hint < 0 ? hints.length + (provider.isLinkable ? 0 : 1) : hint
  }
  const query = search.toLowerCase()
  return offeredProviders(registry)
    .filter(({ name, code }) => `${name} ${code}`.toLowerCase().includes(query))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

/** Returns the providers that a fleet can sign in to, and those that it can request. */
const offeredProviders = (registry: Registry): ProviderSummary[] => [
  ...registry.all.map(({ manifest }) => providerSummaryOf(manifest)).filter((summary) => summary.isLinkable),
  ...unsupportedProviders(registry).map(providerSummaryOf),
]

const consentCategoriesOf = ({ supportedModels }: Manifest): ConsentCategory[] =>
  consentCategories.filter((category) =>
    models.some(
      (model) => model.consentCategory === category && supportedModels[model.name].read === 'supported',
    ),
  )
