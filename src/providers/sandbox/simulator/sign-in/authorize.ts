import { randomUUID } from 'node:crypto'
import { type SimulatorResponse, html, redirect } from '../response.ts'
import { consentPage, PAGE_HEADERS, problemPage } from './page.ts'
import { isRegistered } from './redirects.ts'
import type { Tokens } from './tokens.ts'

/** Lifetime of an authorization code. */
const CODE_MS = 60_000

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
 * Handles an authorization request (RFC 6749 4.1.1): shows the consent page, then redirects with a code or an
 * error (4.1.2). Never redirects to a URL that is not registered.
 */
export function authorize(deps: AuthorizeDeps, method: string, query: URLSearchParams): SimulatorResponse {
  const redirectUri = query.get('redirect_uri') ?? ''
  const clientId = query.get('client_id') ?? ''
  if (!clientId) return page(400, problemPage('The request has no client_id.'))
  if (!isRegistered(redirectUri, deps.redirectPrefixes))
    return page(400, problemPage('The redirect_uri is not registered.'))
  const redirectBack = (result: Readonly<Record<string, string>>) =>
    redirectTo(redirectUri, query.get('state'), result)
  const problem = problemWith(query)
  if (problem) return redirectBack(problem)
  if (method === 'GET') {
    const params = FORM_PARAMS.flatMap((name) =>
      query.has(name) ? [[name, query.get(name) ?? ''] as const] : [],
    )
    return page(200, consentPage({ clientId, params }))
  }
  const account = (query.get('user') ?? '').trim()
  if (query.get('decision') !== 'allow') return redirectBack({ error: 'access_denied' })
  if (account === '' || /\s/.test(account) || account.startsWith('noscope'))
    return redirectBack({ error: 'access_denied', error_description: 'This user may not use the API' })
  const challenge = query.get('code_challenge') ?? ''
  return redirectBack({ code: createCode(deps, { account, challenge, redirectUri, clientId }) })
}

const page = (status: number, text: string): SimulatorResponse => html(status, text, PAGE_HEADERS)

function problemWith(query: URLSearchParams): { error: string; error_description: string } | null {
  if (query.get('response_type') !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' }
  const isS256 = query.get('code_challenge_method') === 'S256'
  if (!isS256 || !/^[\w-]{43}$/.test(query.get('code_challenge') ?? ''))
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
    serial: tokens.serial(),
    expiresMs: nowMs + CODE_MS,
    family: randomUUID(),
    generation: 0,
    ...grant,
  })
