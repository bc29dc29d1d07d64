import { randomUUID } from 'node:crypto'
import { type SimulatorResponse, html, redirect } from '../response.ts'
import { consentPage, PAGE_HEADERS, problemPage } from './page.ts'
import { isRegistered } from './redirects.ts'
import type { Tokens } from './tokens.ts'

/** How long a code may be exchanged. */
const CODE_MS = 60_000

const KEPT = [
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
 * RFC 6749 4.1.1: shows who asks and what for, and sends the browser back with a code or an error (4.1.2). Where it is
 * not known that the address to go back to is the client's, nobody is sent there.
 */
export function authorize(deps: AuthorizeDeps, method: string, asked: URLSearchParams): SimulatorResponse {
  const redirectUri = asked.get('redirect_uri') ?? ''
  const clientId = asked.get('client_id') ?? ''
  if (!clientId) return page(400, problemPage('The application does not say who it is.'))
  if (!isRegistered(redirectUri, deps.redirectPrefixes))
    return page(400, problemPage('The application asks to go back to an address that is not registered.'))
  const back = (answer: Readonly<Record<string, string>>) => backTo(redirectUri, asked.get('state'), answer)
  const problem = problemWith(asked)
  if (problem) return back(problem)
  if (method === 'GET') {
    const kept = KEPT.flatMap((name) => (asked.has(name) ? [[name, asked.get(name) ?? ''] as const] : []))
    return page(200, consentPage({ clientId, kept }))
  }
  const account = (asked.get('user') ?? '').trim()
  if (asked.get('decision') !== 'allow') return back({ error: 'access_denied' })
  if (account === '' || /\s/.test(account) || account.startsWith('noscope'))
    return back({ error: 'access_denied', error_description: 'This user may not use the API' })
  const challenge = asked.get('code_challenge') ?? ''
  return back({ code: codeOf(deps, { account, challenge, redirectUri, clientId }) })
}

const page = (status: number, text: string): SimulatorResponse => html(status, text, PAGE_HEADERS)

function problemWith(asked: URLSearchParams): { error: string; error_description: string } | null {
  if (asked.get('response_type') !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' }
  const isS256 = asked.get('code_challenge_method') === 'S256'
  if (!isS256 || !/^[\w-]{43}$/.test(asked.get('code_challenge') ?? ''))
    return { error: 'invalid_request', error_description: 'A code_challenge of method S256 is required' }
  return null
}

function backTo(
  uri: string,
  state: string | null,
  answer: Readonly<Record<string, string>>,
): SimulatorResponse {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== null) url.searchParams.set('state', state)
  return redirect(url.href)
}

interface Granted {
  readonly account: string
  readonly challenge: string
  readonly redirectUri: string
  readonly clientId: string
}

const codeOf = ({ tokens, nowMs }: AuthorizeDeps, granted: Granted): string =>
  tokens.write({
    kind: 'code',
    serial: tokens.serial(),
    expiresMs: nowMs + CODE_MS,
    family: randomUUID(),
    generation: 0,
    ...granted,
  })
