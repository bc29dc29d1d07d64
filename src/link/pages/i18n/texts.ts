import type { LinkProblem } from '../../../subgraphs/connections/linking/link-run.ts'
import type { LinkProviderRequest } from '../../../subgraphs/connections/linking/request-provider.ts'
import type { CredentialField, SignIn } from '../../../providers/provider.ts'
import type { LinkRefusal, LinkStep, ConsentCategory } from '../../view.ts'

/** Names that a text contains. `app` is a placeholder if the application has no name. */
export interface TextNames {
  readonly app: string
  readonly provider: string
}

/** Text with names. */
type Naming = (names: TextNames) => string

/** Text of a problem and its solution. */
export interface ProblemText {
  readonly title: string
  readonly text: Naming
}

/** Name with an explanation. */
export interface ExplainedText {
  readonly name: string
  readonly text: string
}

/** All texts of the pages in one language. A missing text is a compile error. */
export interface Texts {
  readonly language: string
  /** Replaces the name of an application that has none. */
  readonly nameless: string
  readonly languages: string
  readonly skip: string
  readonly opensNewTab: string
  readonly errorInTitle: string
  readonly cancel: string
  readonly back: string
  readonly close: string
  readonly retry: string
  readonly stepOf: (step: number, of: number) => string
  readonly steps: Readonly<Record<LinkStep, string>>
  readonly promise: {
    readonly title: Naming
    readonly decide: ExplainedText
    readonly sealed: { readonly name: string; readonly text: Naming }
    readonly stop: { readonly name: string; readonly text: Naming }
  }
  /** Mark of a provider that has no real fleets. */
  readonly simulated: string
  readonly choose: {
    readonly title: string
    readonly lede: Naming
    readonly search: string
    readonly submit: string
    readonly list: string
    readonly unavailable: string
    readonly found: (count: number) => string
    readonly none: (search: string) => string
    readonly noneAdvice: Naming
    readonly all: string
    readonly unlisted: string
  }
  readonly signIn: {
    readonly title: Naming
    readonly titleAgain: Naming
    readonly lede: Naming
    readonly ledeAgain: Naming
    readonly ledeAtProvider: Naming
    readonly fields: Readonly<Record<CredentialField['label'], string>>
    readonly optional: string
    readonly example: (example: string) => string
    readonly show: string
    readonly hide: string
    readonly submit: string
    readonly atProvider: Naming
    readonly waiting: Naming
    readonly newTab: string
    readonly otherWays: string
    readonly ways: Readonly<Record<SignIn['label'], Naming>>
    readonly another: string
    readonly sealed: Naming
  }
  readonly request: {
    readonly title: Naming
    readonly titleUnlisted: string
    readonly lede: Naming
    readonly ledeUnlisted: Naming
    readonly fields: Readonly<Record<keyof LinkProviderRequest, string>>
    readonly problem: string
    readonly wrong: Readonly<Record<keyof LinkProviderRequest, string>>
    readonly passedOn: Naming
    readonly submit: Naming
  }
  readonly consent: {
    readonly title: Naming
    readonly lede: Naming
    readonly shares: Readonly<Record<ConsentCategory, ExplainedText>>
    readonly password: Naming
    readonly read: string
    readonly agreed: Naming
    readonly submit: string
  }
  readonly checking: {
    readonly title: string
    readonly lede: Naming
    readonly usual: string
    readonly slow: Naming
    readonly reload: string
  }
  readonly done: {
    readonly title: string
    readonly titleAgain: string
    readonly text: Naming
    readonly textAgain: Naming
    readonly onward: Naming
    readonly mayClose: string
  }
  readonly cancelled: ProblemText & { readonly onward: Naming }
  readonly requested: ProblemText & { readonly onward: Naming }
  readonly returned: ProblemText
  readonly problems: Readonly<Record<LinkProblem, ProblemText>>
  readonly refusals: Readonly<Record<LinkRefusal, ProblemText>>
  readonly parameter: string
}
