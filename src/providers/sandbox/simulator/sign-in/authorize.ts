import { randomUUID } from 'node:crypto'
import { type SimulatorResponse, html, redirect } from '../response.ts'
import { consentPage, PAGE_HEADERS, problemPage } from './page.ts'
import { isRegistered } from './redirects.ts'
import type { Tokens } from './tokens.ts'

/** Lifetime of an authorization code. */
const CODE_MS = 60_000

/** Parameters that the form of the consent page submits again. */
const FORM_PARAMS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
]

interface AuthorizeDeps {
  readonly tokens: Tokens
  readonly redirectPrefixes: readonly string[]
  readonly nowMs: number
}

/**
 * Handles an authorization request (RFC 6749 4.1.1). GET shows the consent page. POST receives its form and
 * redirects with a code or an error (4.1.2). It never redirects to a URL that is not registered.
 */
export function authorize(deps: AuthorizeDeps, method: string, params: URLSearchParams): SimulatorResponse {
  const redirectUri = params.get('redirect_uri') ?? ''
  const clientId = params.get('client_id') ?? ''
  if (!clientId) return page(400, problemPage('The request has no client_id.'))
  if (!isRegistered(redirectUri, deps.redirectPrefixes))
    return page(400, problemPage('The redirect_uri is not registered.'))
  const redirectBack = (result: Readonly<Record<string, string>>) =>
    redirectTo(redirectUri, params.get('state'), result)
  const oauthError = oauthErrorOf(params)
  if (oauthError) return redirectBack(oauthError)
  if (method === 'GET') {
    const hiddenFields = FORM_PARAMS.flatMap((name) =>
      params.has(name) ? [[name, params.get(name) ?? ''] as const] : [],
    )
    return page(200, consentPage({ clientId, params: hiddenFields }))
  }
  const account = (params.get('user') ?? '').trim()
  if (params.get('decision') !== 'allow') return redirectBack({ error: 'access_denied' })
  // Users whose name begins with `noscope` simulate a lack of permission.
  if (account === '' || /\s/.test(account) || account.startsWith('noscope'))
    return redirectBack({ error: 'access_denied', error_description: 'This user may not use the API' })
  const challenge = params.get('code_challenge') ?? ''
  return redirectBack({ code: createCode(deps, { account, challenge, redirectUri, clientId }) })
}

const page = (status: number, text: string): SimulatorResponse => html(status, text, PAGE_HEADERS)

/** Returns the OAuth error of an invalid request; null for a valid one. */
function oauthErrorOf(params: URLSearchParams): { error: string; error_description: string } | null {
  if (params.get('response_type') !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' }
  const isS256 = params.get('code_challenge_method') === 'S256'
  if (!isS256 || !/^[\w-]{43}$/.test(params.get('code_challenge') ?? ''))
    return { error: 'invalid_request', error_description: 'A code_challenge of method S256 is required' }
  return null
}

function redirectTo(
  uri: string,
  state: string | null,
  result: Readonly<Record<string, string>>,
): SimulatorResponse {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value)
  if (state !== null) url.searchParams.set('state', state)
  return redirect(url.href)
}

interface Grant {
  readonly account: string
  readonly challenge: string
  readonly redirectUri: string
  readonly clientId: string
}

const createCode = ({ tokens, nowMs }: AuthorizeDeps, grant: Grant): string =>
  tokens.write({
    kind: 'code',
    serial: tokens.nextSerial(),
    expiresMs: nowMs + CODE_MS,
    family: randomUUID(),
    generation: 0,
    ...grant,
  })
