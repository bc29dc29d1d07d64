import type { Model } from '../domain/models/models.ts'
import type { SignIn } from '../providers/provider.ts'
import type { LinkProblem } from '../subgraphs/connections/linking/link-run.ts'
import type { LinkProviderRequest } from '../subgraphs/connections/linking/request-provider.ts'

/**
 * View of a page of the link run. The run selects it; `pages/` renders it as HTML in the language of the
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
   * After the sign-in at the provider in a window of its own. The fleet continues in the page that opened the
   * window.
   */
  | { readonly step: 'return' }
  /** Default agreement, for applications without an agreement of their own. It needs no run. */
  | { readonly step: 'agreement' }

/** Display data of a provider. */
export interface ProviderSummary {
  readonly code: string
  readonly name: string
  /** URL of the icon, usually a data: URL. */
  readonly icon: string
  /** False if the provider cannot be connected yet and can only be requested. */
  readonly isLinkable: boolean
}

interface Choose {
  readonly step: 'choose'
  /** Search results, the hinted providers first. */
  readonly providers: readonly ProviderSummary[]
  readonly search: string
}

interface SignInView {
  readonly step: 'sign_in'
  readonly provider: ProviderSummary
  /** Sign-in methods, the chosen one first. */
  readonly ways: readonly SignIn[]
  readonly chosen: SignIn
  /** Values that were entered before, without passwords and keys. */
  readonly typed: Readonly<Record<string, string>>
  readonly problem: LinkProblem | null
  /** Whether the credentials are still stored and can be tried again unchanged: `do=retry`. */
  readonly mayRetry: boolean
  /** Whether the run signs in to an existing connection again. */
  readonly isAgain: boolean
  readonly mayChooseAnother: boolean
}

/**
 * Request of a provider that cannot be connected yet: the integrator is notified that the fleet waits for it.
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
  readonly shares: readonly Share[]
  readonly agreementUrl: string
}

/** Data category that a fleet shares. */
export type Share = Extract<Model, { share: string }>['share']

/** Data categories in the order in which the pages list them. */
export const shares = Object.keys({
  vehicles: true,
  drivers: true,
  locations: true,
  trips: true,
  hours: true,
  safety: true,
  faults: true,
  fuel_tax: true,
} satisfies Record<Share, true>) as readonly Share[]

interface Checking {
  readonly step: 'checking'
  readonly provider: ProviderSummary
  /** Whether the check takes longer than usual. On a page that stays open the script determines it. */
  readonly isSlow: boolean
}

interface Done {
  readonly step: 'done'
  readonly provider: ProviderSummary
  readonly isAgain: boolean
  /** Public token for the page that frames this one. */
  readonly publicToken: string
  /** URL where the fleet continues; null if the run has none. */
  readonly backTo: string | null
}

interface Refused {
  readonly step: 'refused'
  readonly why: LinkRefusal
  /** Invalid query parameter, if the reason is one. */
  readonly parameter?: string
}

/** Reason why a request is refused. */
export type LinkRefusal =
  | 'no_key'
  | 'unknown_key'
  | 'bad_parameter'
  | 'unknown_provider'
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
export interface Frame {
  readonly language: Language
  /** Name of the application with which the fleet shares its data. */
  readonly applicationName: string | null
  /** Path prefix of the forms, images, styles and scripts: `/link` or empty. */
  readonly base: string
  /** URL of the run, with the requested language in its query; forms are posted to it. */
  readonly run: string | null
  /** Origins that may frame the page and that receive its messages. None of them is a pattern. */
  readonly origins: readonly string[]
  /** Whether the page is framed, as far as the browser reports it. */
  readonly isFramed: boolean
}
