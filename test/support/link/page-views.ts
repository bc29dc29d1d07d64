import type { SignIn } from '../../../src/providers/provider.ts'
import {
  type LinkRefusal,
  linkSteps,
  type PageOptions,
  type ProviderSummary,
  type ConsentCategory,
  type View,
} from '../../../src/link/view.ts'
import type { LinkProblem } from '../../../src/subgraphs/connections/linking/link-run.ts'

type SignInView = Extract<View, { step: 'sign_in' }>
type RequestView = Extract<View, { step: 'request' }>

const picture = (colour: string, letter: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="${colour}"/><text x="24" y="32" font-family="sans-serif" font-size="24" fill="#fff" text-anchor="middle">${letter}</text></svg>`,
  )}`

export const provider: ProviderSummary = {
  code: 'northstar',
  name: 'Northstar Telematics',
  icon: picture('#23476b', 'N'),
  isLinkable: true,
}

export const providers: readonly ProviderSummary[] = [
  provider,
  { code: 'sandbox', name: 'Sandbox', icon: picture('#c98a2b', 'S'), isLinkable: true },
  { code: 'ruta', name: 'Ruta Móvil', icon: '', isLinkable: true },
  {
    code: 'fahrt',
    name: 'Fahrtenschreiber & Söhne GmbH',
    icon: 'https://elsewhere.example/x.png',
    isLinkable: true,
  },
  { code: 'later', name: 'Later Logistics', icon: picture('#666', 'L'), isLinkable: false },
]

export const withKey: SignIn = {
  id: 'key',
  kind: 'form',
  label: 'withKey',
  fields: [{ name: 'apiKey', kind: 'password', label: 'apiKey', example: 'sandbox-50-1' }],
}

export const withPassword: SignIn = {
  id: 'password',
  kind: 'form',
  label: 'withPassword',
  fields: [
    { name: 'server', kind: 'text', label: 'host', isOptional: true, example: 'my1.northstar.example' },
    { name: 'database', kind: 'text', label: 'database' },
    { name: 'user', kind: 'email', label: 'user' },
    { name: 'password', kind: 'password', label: 'password' },
  ],
}

export const atProvider: SignIn = { id: 'oauth', kind: 'oauth', label: 'atProvider' }

const categories: readonly ConsentCategory[] = [
  'vehicles',
  'drivers',
  'locations',
  'trips',
  'hours',
  'safety',
  'faults',
  'fuel_tax',
]

export const choice: View = { step: 'choose', providers, search: '' }

export const signIn = (more: Partial<SignInView> = {}): View => ({
  step: 'sign_in',
  provider,
  ways: [withKey, withPassword, atProvider],
  chosen: withKey,
  typed: {},
  problem: null,
  mayRetry: false,
  isAgain: false,
  mayChooseAnother: true,
  ...more,
})

export const request = (more: Partial<RequestView> = {}): View => ({
  step: 'request',
  provider: providers.find(({ isLinkable }) => !isLinkable) ?? null,
  typed: { provider: '', contactEmail: '', dotNumber: '' },
  wrong: [],
  mayChooseAnother: true,
  ...more,
})

export const consent: View = { step: 'consent', provider, categories, agreementUrl: '/link/agreement' }

export const checking: View = { step: 'checking', provider, isSlow: false }

export const done: View = {
  step: 'done',
  provider,
  isAgain: false,
  publicToken: 'pub_tkn_of-the-tests',
  backTo: null,
}

export const problems: readonly LinkProblem[] = [
  'incomplete',
  'wrong_credentials',
  'wrong_server',
  'code_missing',
  'missing_permission',
  'provider_down',
  'provider_slow',
  'other_account',
  'sign_in_cancelled',
  'sign_in_expired',
  'our_fault',
]

export const refusals: readonly LinkRefusal[] = [
  'no_key',
  'unknown_key',
  'bad_parameter',
  'unknown_provider',
  'unknown_connection',
  'redirect_not_allowed',
  'expired',
  'bad_state',
  'not_found',
  'foreign_page',
  'too_many',
  'too_many_sign_ins',
  'our_fault',
]

const typed = { user: 'dispatch@ridge.example', database: 'ridge' }

/** Every page of the flow, by a test name. */
export const views: Readonly<Record<string, View>> = {
  choose: choice,
  'choose-found': { step: 'choose', providers: providers.slice(0, 2), search: 'a' },
  'choose-none': { step: 'choose', providers: [], search: 'Wegweiser' },
  'sign-in-key': signIn(),
  'sign-in-password': signIn({ chosen: withPassword }),
  'sign-in-wrong': signIn({ chosen: withPassword, typed, problem: 'wrong_credentials' }),
  'sign-in-down': signIn({ problem: 'provider_down', mayRetry: true }),
  'sign-in-oauth': signIn({ chosen: atProvider }),
  'sign-in-again': signIn({ isAgain: true, mayChooseAnother: false, ways: [withKey] }),
  request: request(),
  'request-unlisted': request({ provider: null, mayChooseAnother: false }),
  'request-wrong': request({
    provider: null,
    typed: { provider: '', contactEmail: 'dispatch', dotNumber: 'none' },
    wrong: ['provider', 'contactEmail', 'dotNumber'],
  }),
  requested: { step: 'requested', backTo: 'https://app.example/linked' },
  consent,
  checking,
  'checking-slow': { ...checking, isSlow: true },
  done,
  'done-again': { ...done, isAgain: true, backTo: 'https://app.example/linked' },
  cancelled: { step: 'cancelled', backTo: 'https://app.example/linked' },
  return: { step: 'return' },
  agreement: { step: 'agreement' },
  ...Object.fromEntries(problems.map((problem) => [`problem-${problem}`, signIn({ problem })])),
  ...Object.fromEntries(
    refusals.map((why): [string, View] => [
      `refused-${why}`,
      { step: 'refused', why, ...(why === 'bad_parameter' ? { parameter: 'backfill_days' } : {}) },
    ]),
  ),
}

export const pageOptions: PageOptions = {
  language: 'en',
  applicationName: 'Ridgeline Dispatch',
  basePath: '/link',
  run: '/link/runs/of-the-tests',
  origins: [],
  isFramed: false,
  steps: linkSteps,
}
