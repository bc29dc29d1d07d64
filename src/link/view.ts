import type { SignIn } from '../providers/provider.ts'
import type { LinkProblem } from '../subgraphs/connections/linking/link-run.ts'
import type { ProviderRequest } from '../subgraphs/connections/linking/request-provider.ts'

/** What a page of the link flow shows. The flow makes it; `pages/` turns it into HTML, in the language of the reader. */
export type View =
  | Choose
  | SignInView
  | RequestView
  | Consent
  | Checking
  | Done
  | { readonly step: 'cancelled'; readonly backTo: string | null }
  /** The integrator was told of a provider that the fleet would connect. */
  | { readonly step: 'requested'; readonly backTo: string | null }
  | Refused
  /** After signing in at the provider in a window of its own: the fleet goes on in the page that opened it. */
  | { readonly step: 'return' }
  /** Our own text, for applications that have none of theirs. It stands outside of any run. */
  | { readonly step: 'agreement' }

/** A provider as a fleet sees it. */
export interface ProviderFace {
  readonly code: string
  readonly name: string
  /** An address of a picture; most are data: addresses. */
  readonly icon: string
  /** Else it cannot be connected yet, and can be asked for. */
  readonly isLinkable: boolean
}

interface Choose {
  readonly step: 'choose'
  /** Those that the search found, the hinted ones first. */
  readonly providers: readonly ProviderFace[]
  readonly search: string
}

interface SignInView {
  readonly step: 'sign_in'
  readonly provider: ProviderFace
  /** The chosen way first. */
  readonly ways: readonly SignIn[]
  readonly chosen: SignIn
  /** What was typed in before, but for passwords and keys. */
  readonly typed: Readonly<Record<string, string>>
  readonly problem: LinkProblem | null
  /** Whether what was signed in with is still there, so that it can be tried once more as it is: `do=retry`. */
  readonly mayRetry: boolean
  /** Whether a connection that there is is signed in to again. */
  readonly isAgain: boolean
  readonly mayChooseAnother: boolean
}

/** A provider that cannot be connected yet: the fleet can have the integrator told that it waits for it. */
interface RequestView {
  readonly step: 'request'
  /** Null where the fleet says what it is. */
  readonly provider: ProviderFace | null
  readonly typed: ProviderRequest
  /** What was typed in that cannot be read. */
  readonly wrong: readonly (keyof ProviderRequest)[]
  readonly mayChooseAnother: boolean
}

interface Consent {
  readonly step: 'consent'
  readonly provider: ProviderFace
  /** What is shared, as the pages name it. */
  readonly shares: readonly Share[]
  readonly agreementUrl: string
}

/** A kind of data that a fleet shares. */
export type Share =
  'vehicles' | 'drivers' | 'locations' | 'trips' | 'hours' | 'safety' | 'faults' | 'fuel_tax'

interface Checking {
  readonly step: 'checking'
  readonly provider: ProviderFace
  /** Whether it takes longer than usual. A script tells by itself, on a page that it keeps open. */
  readonly isSlow: boolean
}

interface Done {
  readonly step: 'done'
  readonly provider: ProviderFace
  readonly isAgain: boolean
  /** For the page that frames this one. */
  readonly publicToken: string
  /** Where the fleet goes on; null where it is not sent anywhere. */
  readonly backTo: string | null
}

interface Refused {
  readonly step: 'refused'
  readonly why: LinkRefusal
  /** The parameter of the address that cannot be used, where it is one. */
  readonly parameter?: string
}

/** Why there is nothing to show. */
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
  /** A form that another site sends here. */
  | 'foreign_page'
  /** More runs were begun, or sign-ins tried, than fleets do in a minute. */
  | 'too_many'
  /** So many sign-ins were tried that the run is over. */
  | 'too_many_sign_ins'
  | 'our_fault'

export type Language = 'en' | 'fr' | 'es'

/** What every page has around what it shows. */
export interface Frame {
  readonly language: Language
  /** Who the fleet shares its data with. */
  readonly applicationName: string | null
  /** Where the forms of the page go to and its picture, styles and script come from: `/link` or nothing. */
  readonly base: string
  /** The address of the run, with the language in its query where one was asked for; forms are posted to it. */
  readonly run: string | null
  /** The origins that may frame the page, and that it speaks to; none of them is a pattern. */
  readonly origins: readonly string[]
  /** Whether it is framed, as far as the browser tells. */
  readonly isFramed: boolean
}
