import type { Model } from '../domain/models/models.ts'
import type { SignIn } from '../providers/provider.ts'
import type { LinkProblem } from '../subgraphs/connections/linking/link-run.ts'
import type { LinkProviderRequest } from '../subgraphs/connections/linking/request-provider.ts'

export const linkSteps = ['choose', 'sign_in', 'consent', 'checking'] as const
export type LinkStep = (typeof linkSteps)[number]

/**
 * View of a page of the link run. The state of the run selects it. `pages/` renders it as HTML in the language of the
 * reader.
 */
export type View =
  | Choose
  | SignInView
  | RequestView
  | Consent
  | Checking
  | Done
  | { readonly step: 'cancelled'; readonly backTo: string | null }
  /** The integrator has been notified that the fleet requests a provider. */
  | { readonly step: 'requested'; readonly backTo: string | null }
  | Refused
  /**
   * Shown in the window in which the fleet signed in at its provider. The fleet continues in the page that opened the
   * window.
   */
  | { readonly step: 'return' }
  /** Default agreement, for applications without an agreement of their own. The page belongs to no run. */
  | { readonly step: 'agreement' }

/** Display data of a provider. */
export interface ProviderSummary {
  readonly code: string
  readonly name: string
  /** URL of the icon, usually a data: URL. */
  readonly icon: string
  /** False if the provider cannot be connected yet and can only be requested. */
  readonly isLinkable: boolean
  /** Whether the provider has simulated data only. */
  readonly isSandbox?: boolean
}

interface Choose {
  readonly step: 'choose'
  /** Search results: first the providers that the settings of the run suggest. */
  readonly providers: readonly ProviderSummary[]
  readonly search: string
}

interface SignInView {
  readonly step: 'sign_in'
  readonly provider: ProviderSummary
  /** Sign-in methods, the chosen one first. */
  readonly ways: readonly SignIn[]
  readonly chosen: SignIn
  /** Values that the fleet entered before, except passwords and keys. */
  readonly typed: Readonly<Record<string, string>>
  readonly problem: LinkProblem | null
  /** Whether the credentials are still stored, so that the form `retry` can check them again unchanged. */
  readonly mayRetry: boolean
  /** Whether the run signs in to an existing connection again. */
  readonly isAgain: boolean
  readonly mayChooseAnother: boolean
}

/**
 * Form with which a fleet requests a provider that cannot be connected yet. The integrator is notified of the request.
 */
interface RequestView {
  readonly step: 'request'
  /** Null if the fleet enters the name of the provider. */
  readonly provider: ProviderSummary | null
  readonly typed: LinkProviderRequest
  /** Invalid fields. */
  readonly wrong: readonly (keyof LinkProviderRequest)[]
  readonly mayChooseAnother: boolean
}

interface Consent {
  readonly step: 'consent'
  readonly provider: ProviderSummary
  /** Shared data categories. */
  readonly categories: readonly ConsentCategory[]
  readonly agreementUrl: string
}

/** Data category that a fleet shares. */
export type ConsentCategory = Extract<Model, { consentCategory: string }>['consentCategory']

/** Data categories in the order in which the pages list them. */
export const consentCategories = Object.keys({
  vehicles: true,
  drivers: true,
  locations: true,
  trips: true,
  hours: true,
  safety: true,
  faults: true,
  fuel_tax: true,
} satisfies Record<ConsentCategory, true>) as readonly ConsentCategory[]

interface Checking {
  readonly step: 'checking'
  readonly provider: ProviderSummary
  /** Whether the check takes longer than usual. On a page that stays open, the script shows it later. */
  readonly isSlow: boolean
}

interface Done {
  readonly step: 'done'
  readonly provider: ProviderSummary
  readonly isAgain: boolean
  /** Public token for the host page: the page that frames this one or opened its window. */
  readonly publicToken: string
  /** URL where the fleet continues; null if the run has none. */
  readonly backTo: string | null
}

interface Refused {
  readonly step: 'refused'
  readonly why: LinkRefusal
  /** Name of the invalid query parameter, if that is the reason. */
  readonly parameter?: string
}

/** Reason why a request is refused. */
export type LinkRefusal =
  | 'no_key'
  | 'unknown_key'
  | 'bad_parameter'
  | 'unknown_provider'
  /** The provider has simulated data only, and the application does not allow it. */
  | 'sandbox_provider'
  | 'unknown_connection'
  | 'redirect_not_allowed'
  | 'expired'
  | 'bad_state'
  | 'not_found'
  /** Another site sent the form. */
  | 'foreign_page'
  /** The rate limit of runs or sign-ins per minute is exceeded. */
  | 'too_many'
  /** The run has used up its sign-in attempts. */
  | 'too_many_sign_ins'
  | 'our_fault'

export type Language = 'en' | 'fr' | 'es'

/** Data that every page needs in addition to its view. */
export interface PageOptions {
  readonly language: Language
  /** Name of the application with which the fleet shares its data. */
  readonly applicationName: string | null
  /** Path prefix of the forms, images, styles and scripts: `/link` or empty. */
  readonly basePath: string
  /** URL of the run, to which forms are posted. Its query contains the requested language. Null without a run. */
  readonly run: string | null
  /** Origins of the allowed host pages, which may frame this page and receive its messages. None has a wildcard. */
  readonly origins: readonly string[]
  /** Whether the page is in a frame, as far as the browser reports it. */
  readonly isFramed: boolean
  /** Steps of the run, for the progress indicator. */
  readonly steps: readonly LinkStep[]
}
