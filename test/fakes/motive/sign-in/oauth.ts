import { ok, type Answer, type Call } from '../../kit/http.ts'
import type { MotiveSwitches } from '../behaviours.ts'
import { badRequest, refused } from '../refusal.ts'
import type { Grants, TokenPair } from './grants.ts'

/** Credentials of the registered application. */
export const application = { id: 'fake-client', secret: 'fake-client-secret' }

/** `POST /oauth/token`: a form with the application's credentials. */
export function token({ body }: Call, grants: Grants, switches: MotiveSwitches): Answer {
  const form = new URLSearchParams(body)
  if (!isApplication(form)) return refusedGrant(401, 'invalid_client', switches)
  const pair = pairFor(form, grants)
  if (pair === undefined) return refusedGrant(400, 'unsupported_grant_type', switches)
  return pair ? ok(pair) : refusedGrant(400, 'invalid_grant', switches)
}

function pairFor(form: URLSearchParams, grants: Grants): TokenPair | null | undefined {
  const value = (name: string) => form.get(name) ?? ''
  const redirectUri = value('redirect_uri')
  if (value('grant_type') === 'authorization_code') return grants.exchange(value('code'), redirectUri)
  if (value('grant_type') === 'refresh_token') return grants.renew(value('refresh_token'), redirectUri)
  return undefined
}

/** `POST /oauth/revoke`. */
export function revoke({ body }: Call, grants: Grants, switches: MotiveSwitches): Answer {
  const form = new URLSearchParams(body)
  if (!isApplication(form)) return refusedGrant(401, 'invalid_client', switches)
  grants.revoke(form.get('token') ?? '')
  return ok({})
}

const isApplication = (form: URLSearchParams): boolean =>
  form.get('client_id') === application.id && form.get('client_secret') === application.secret

function refusedGrant(status: number, error: string, switches: MotiveSwitches): Answer {
  if (switches.is('tokenErrors', 'as_elsewhere')) return refused(status, switches, error)
  return { status, body: { error, error_description: `It was refused: ${error}.` } }
}

/** `GET /oauth/authorize` is the consent page, and `POST` is the fleet's decision. */
export function authorize({ method, path, query, body }: Call, grants: Grants): Answer {
  const redirectUri = query.get('redirect_uri')
  if (query.get('client_id') !== application.id) throw badRequest('Unknown client_id')
  if (query.get('response_type') !== 'code' || !redirectUri) throw badRequest('Invalid request')
  if (method === 'GET') return page(`${path}?${query}`)
  const form = new URLSearchParams(body)
  const back = new URL(redirectUri)
  const wanted = form.get('scopes') ?? query.get('scope') ?? ''
  const bearer = { account: Number(form.get('company') ?? 1), scopes: wanted.split(' ') }
  if (form.get('answer') === 'allow') back.searchParams.set('code', grants.code(bearer, redirectUri))
  else back.searchParams.set('error', 'access_denied')
  const state = query.get('state')
  if (state !== null) back.searchParams.set('state', state)
  return { status: 302, headers: { location: back.href }, body: '' }
}

const page = (address: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><title>Fake Motive</title><main><h1>Install the app?</h1>
<form method="post" action="${escaped(address)}">
<label>Company <input name="company" value="1" inputmode="numeric"></label>
<button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button>
</form></main></html>`,
})

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
