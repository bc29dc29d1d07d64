import { ok, type Answer, type Call } from '../../kit/http.ts'
import { badRequest, Refusal } from '../http/call.ts'
import type { Switches } from '../behaviours.ts'
import type { Grants, TokenPair } from './grants.ts'

/** Credentials of the registered application. */
export const application = { id: 'fake-client', secret: 'fake-client-secret' }

/** `POST /oauth2/token`. The application authenticates with HTTP Basic. */
export function token(call: Call, grants: Grants, switches: Switches): Answer {
  if (!isApplication(call)) return refused(switches, 401, 'invalid_client')
  const form = new URLSearchParams(call.body)
  const pair = pairFor(form, grants)
  if (pair === undefined) return refused(switches, 400, 'unsupported_grant_type')
  return pair ? ok({ ...pair, token_type: 'bearer' }) : refused(switches, 400, 'invalid_grant')
}

function pairFor(form: URLSearchParams, grants: Grants): TokenPair | null | undefined {
  const value = (name: string) => form.get(name) ?? ''
  if (value('grant_type') === 'authorization_code')
    return grants.exchange(value('code'), value('redirect_uri'))
  if (value('grant_type') === 'refresh_token') return grants.renew(value('refresh_token'))
  return undefined
}

/** `POST /oauth2/revoke`. */
export function revoke(call: Call, grants: Grants, switches: Switches): Answer {
  if (!isApplication(call)) return refused(switches, 401, 'invalid_client')
  grants.revoke(new URLSearchParams(call.body).get('token') ?? '')
  return ok({})
}

const isApplication = ({ headers }: Call): boolean =>
  headers['authorization'] ===
  `Basic ${Buffer.from(`${application.id}:${application.secret}`).toString('base64')}`

function refused(switches: Switches, status: number, error: string): Answer {
  if (switches.tokenErrors === 'samsara') throw new Refusal(status, `OAuth error: ${error}.`)
  return { status, body: { error, error_description: `It was refused: ${error}.` } }
}

/** `GET /oauth2/authorize` is the consent page, and `POST` is the fleet's decision. */
export function authorize({ method, path, query, body }: Call, grants: Grants): Answer {
  const redirectUri = query.get('redirect_uri')
  if (query.get('client_id') !== application.id) throw badRequest('Unknown client_id.')
  if (query.get('response_type') !== 'code' || !redirectUri)
    throw badRequest('Invalid authorization request.')
  if (method === 'GET') return page(`${path}?${query}`)
  const form = new URLSearchParams(body)
  const back = new URL(redirectUri)
  const scopes = form.get('scopes')?.split(',') ?? null
  if (form.get('answer') === 'allow')
    back.searchParams.set(
      'code',
      grants.code({ organization: Number(form.get('organization') ?? 1), scopes }, redirectUri),
    )
  else back.searchParams.set('error', 'access_denied')
  const state = query.get('state')
  if (state !== null) back.searchParams.set('state', state)
  return { status: 302, headers: { location: back.href }, body: '' }
}

const page = (address: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><title>Fake Samsara</title><main><h1>Allow access?</h1>
<form method="post" action="${escaped(address)}">
<label>Organization <input name="organization" value="1" inputmode="numeric"></label>
<button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button>
</form></main></html>`,
})

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
