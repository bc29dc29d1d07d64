import { randomBytes } from 'node:crypto'
import type { Answer, Call, Route } from '../kit/http.ts'
import type { Limit } from '../kit/limits.ts'
import type { World } from '../world/truth.ts'
import { positions, switchesOf } from './behaviours.ts'
import { Budgets, type Budget, ORGANIZATION_BUDGET, TOKEN_BUDGET } from './http/budgets.ts'
import { Refusal, type FakeRequest } from './http/call.ts'
import { endpointsWith, type Endpoint } from './endpoints.ts'
import { Organization } from './organization.ts'
import { END_OF_RUNNING } from './records/old-trips.ts'
import { Grants, type Bearer } from './sign-in/grants.ts'
import { authorize, revoke, token } from './sign-in/oauth.ts'
import { Subscriptions } from './webhooks/subscriptions.ts'

export interface Customers {
  has(organization: number): boolean
  world(organization: number): World
}

/** Samsara with all its organizations. */
export class Samsara {
  readonly positions = positions()
  readonly switches = switchesOf(this.positions)
  readonly budgets = new Budgets(() => performance.now())
  readonly grants: Grants
  readonly webhooks = new Subscriptions()
  private readonly organizations = new Map<number, Organization>()
  private readonly endpoints = endpointsWith(this.webhooks)

  constructor(
    private readonly customers: Customers,
    private readonly now: () => number,
  ) {
    this.grants = new Grants(now, this.switches)
  }

  organization(number: number): Organization | null {
    if (!this.customers.has(number)) return null
    const organization =
      this.organizations.get(number) ?? new Organization(this.customers.world(number), this.switches)
    this.organizations.set(number, organization)
    return organization
  }

  /** Returns the organization and scopes of a request's token; null if it is invalid. */
  bearerOf({ headers }: Call): Bearer | null {
    return this.grants.bearerOf(tokenIn(headers.authorization))
  }

  routes(): Route[] {
    const route = (method: string, path: string, handle: (call: Call) => Answer): Route => ({
      method,
      path,
      handle: (call) => this.guarded(call, handle),
    })
    return [
      route('GET', '/oauth2/authorize', (call) => authorize(call, this.grants)),
      route('POST', '/oauth2/authorize', (call) => authorize(call, this.grants)),
      route('POST', '/oauth2/token', (call) => token(call, this.grants, this.switches)),
      route('POST', '/oauth2/revoke', (call) => revoke(call, this.grants, this.switches)),
      route('GET', '/_files/media/:event/:film', (call) => this.film(call)),
      ...this.endpoints.map((endpoint) =>
        route(endpoint.method, endpoint.path, (call) => this.answer(endpoint, call)),
      ),
    ]
  }

  /** Returns an error response. The oldest endpoints send plain text. */
  refused({ status, message, headers }: Refusal, path: string): Answer {
    const isText = path.startsWith('/v1/') && this.switches.oldErrors === 'text'
    const body = isText ? message : { message, requestId: randomBytes(4).toString('hex') }
    return { status, headers: { ...json, ...headers }, body: JSON.stringify(body) }
  }

  private guarded(call: Call, handle: (call: Call) => Answer): Answer {
    try {
      return handle(call)
    } catch (error) {
      if (error instanceof Refusal) return this.refused(error, call.path)
      throw error
    }
  }

  private answer(endpoint: Endpoint, call: Call): Answer {
    const bearer = this.bearerOf(call)
    const organization = bearer && this.organization(bearer.organization)
    if (!organization) throw new Refusal(401, 'Invalid token.')
    this.budgets.spend(bearer.organization, tokenIn(call.headers.authorization), this.budgetOf(endpoint))
    if (bearer.scopes && !bearer.scopes.includes(endpoint.scope))
      throw new Refusal(Number(this.switches.missingScope), `The token has no permission: ${endpoint.scope}.`)
    return responseOf(endpoint.answer(this.requestOf(call, organization)))
  }

  limitsOf(call: Call, endpoint: string): Limit[] {
    const bearer = this.bearerOf(call)
    const request = this.endpoints.find(({ method, path }) => `${method} ${path}` === endpoint)
    if (!bearer || !request) return []
    const token = tokenIn(call.headers.authorization)
    const budget = this.budgetOf(request)
    const budgets = [TOKEN_BUDGET, ORGANIZATION_BUDGET, ...(budget ? [budget] : [])]
    return budgets.map(({ name, requests, perSeconds }) => ({
      of: `${bearer.organization} ${name === TOKEN_BUDGET.name ? `${name} ${token}` : name}`,
      requests,
      milliseconds: perSeconds * 1000,
    }))
  }

  private budgetOf({ method, path, perSecond }: Endpoint): Budget | null {
    const requests = perSecond ?? Number(this.switches.unlistedPerSecond)
    return requests === 0 ? null : { name: `${method} ${path}`, requests, perSeconds: 1 }
  }

  requestOf({ query, params, body, headers }: Call, organization: Organization): FakeRequest {
    const origin = `http://${headers.host}`
    return { organization, switches: this.switches, query, id: params['id'] ?? '', body, origin }
  }

  /** Returns a video. Its URL is enough to read it, until it expires. */
  private film({ path, query }: Call): Answer {
    if (Number(query.get('expires') ?? 0) <= this.now())
      return {
        status: 403,
        headers: { 'content-type': 'application/xml' },
        body: '<Error>AccessDenied</Error>',
      }
    return { status: 200, headers: { 'content-type': 'video/mp4' }, body: `film of ${path}` }
  }
}

const tokenIn = (authorization = ''): string => /^Bearer (.+)$/.exec(authorization)?.[1] ?? ''

const json = { 'content-type': 'application/json' }

function responseOf(body: object | null): Answer {
  if (body === null) return { status: 204 }
  const text = JSON.stringify(body).replaceAll(`"${END_OF_RUNNING}"`, END_OF_RUNNING.replaceAll('#', ''))
  return { status: 200, headers: json, body: text }
}
