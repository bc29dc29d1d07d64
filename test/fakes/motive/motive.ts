import type { FakeContext } from '../kit/fake.ts'
import { type Answer, type Call, ok, type Route } from '../kit/http.ts'
import type { Limit } from '../kit/limits.ts'
import { FakeRequest } from './fake-request.ts'
import type { MotiveSwitches } from './behaviours.ts'
import { Company } from './company.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { Gate } from './concurrency-gate.ts'
import { Refusal, refused } from './refusal.ts'
import { type Bearer, Grants } from './sign-in/grants.ts'
import { authorize, revoke, token } from './sign-in/oauth.ts'
import { Deliveries } from './webhooks/deliveries.ts'
import { Subscriptions } from './webhooks/subscriptions.ts'

type Handler = (call: Call) => Answer | Promise<Answer>

/** Motive with all its companies. */
export class Motive {
  readonly grants: Grants
  readonly gate = new Gate()
  readonly webhooks = new Subscriptions()
  readonly deliveries: Deliveries
  private readonly companies = new Map<number, Company>()

  constructor(
    private readonly context: FakeContext,
    private readonly switches: MotiveSwitches,
  ) {
    this.grants = new Grants(context.clock.now, switches)
    this.deliveries = new Deliveries(context.clock.now, switches)
  }

  company(account: number): Company | null {
    if (!this.context.accounts.has(account)) return null
    const company = this.companies.get(account) ?? new Company(this.context.accounts.world(account))
    this.companies.set(account, company)
    return company
  }

  /** Returns the company and scopes of a request's key or OAuth token; null if it is invalid. */
  bearerOf({ headers }: Call): Bearer | null {
    const key = headers['x-api-key']
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    const bearer = key === undefined ? this.grants.ofToken(token) : this.grants.ofKey(String(key))
    return bearer && this.context.accounts.has(bearer.account) ? bearer : null
  }

  routes(): Route[] {
    const { grants, switches, webhooks } = this
    const webhooksPath = '/v1/company_webhooks'
    return [
      this.route('GET', '/oauth/authorize', (call) => authorize(call, grants)),
      this.route('POST', '/oauth/authorize', (call) => authorize(call, grants)),
      this.route('POST', '/oauth/token', (call) => token(call, grants, switches)),
      this.route('POST', '/oauth/revoke', (call) => revoke(call, grants, switches)),
      ...endpoints.map((endpoint) => this.route('GET', endpoint.path, (call) => this.answer(endpoint, call))),
      this.route('GET', webhooksPath, (call) => ok(webhooks.list(this.request(call)))),
      this.route('POST', webhooksPath, (call) => webhooks.create(this.request(call), call)),
      this.route('GET', `${webhooksPath}/:id`, (call) => ok(webhooks.get(this.request(call)))),
      this.route('PUT', `${webhooksPath}/:id`, (call) => webhooks.change(this.request(call), call)),
      this.route('DELETE', `${webhooksPath}/:id`, (call) => ok(webhooks.remove(this.request(call)))),
      this.route('GET', '/_files/media/:event/:film', ({ path }) => ok(`film of ${path}`)),
    ]
  }

  private route(method: string, path: string, handle: Handler): Route {
    return {
      method,
      path,
      handle: async (call) => {
        try {
          return await handle(call)
        } catch (error) {
          if (error instanceof Refusal) return refused(error.status, this.switches, error.message)
          throw error
        }
      },
    }
  }

  limitsOf(call: Call, endpoint: string): Limit[] {
    const most = endpoints.find(({ path }) => `GET ${path}` === endpoint)?.mostAtOnce
    const account = this.bearerOf(call)?.account
    if (most === undefined || account === undefined) return []
    return [{ of: `${account} ${endpoint}`, requests: most, milliseconds: 0 }]
  }

  private async answer({ scope, mostAtOnce, answer }: Endpoint, call: Call): Promise<Answer> {
    const request = this.request(call, scope)
    if (mostAtOnce === undefined) return ok(answer(request))
    const caller = this.switches.is('atOncePer', 'company') ? String(request.company.id) : credentialOf(call)
    const answered = await this.gate.through(caller, mostAtOnce, () => answer(request))
    if (answered) return ok(answered)
    throw new Refusal(this.switches.is('tooManyAtOnce', '429') ? 429 : 503, 'Too many requests')
  }

  private request(call: Call, scope?: string): FakeRequest {
    const bearer = this.bearerOf(call)
    const company = bearer && this.company(bearer.account)
    if (!company) throw new Refusal(401, 'Invalid token')
    if (scope !== undefined && bearer.scopes && !bearer.scopes.includes(scope))
      throw new Refusal(this.switches.is('missingScope', '403') ? 403 : 401, `Missing scope: ${scope}`)
    return new FakeRequest(company, this.switches, call)
  }
}

const credentialOf = ({ headers }: Call): string => String(headers['x-api-key'] ?? headers.authorization)
