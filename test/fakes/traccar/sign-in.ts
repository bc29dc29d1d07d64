import type { FakeContext } from '../kit/fake.ts'
import type { Answer, Call, Route } from '../kit/http.ts'
import { JavaException, refused } from './failure.ts'
import { answerOf, toDate, type TraccarSwitches } from './wire.ts'
import { zonesOf } from './zones.ts'

const WEEK = 7 * 86_400_000
/** Valid one-time code of all users. */
const CODE = '123456'

/**
 * Sign-in of users, one per customer. That of customer 3 is fleet3@fleets.example with password-3 and token-3. The
 * setting `totp` requires a one-time code, `disabled` disables all users.
 */
export class SignIns {
  private readonly sessions = new Map<string, number>()
  private readonly tokens = new Map<string, { account: number; expiresAt: number }>()
  private readonly revoked = new Set<string>()

  constructor(
    private readonly context: FakeContext,
    private readonly switches: TraccarSwitches,
  ) {}

  /** Returns the customer of a call's credentials; null if they are invalid. */
  accountOf({ headers }: Call): number | null {
    const [scheme = '', credential = ''] = (headers.authorization ?? '').split(' ')
    if (scheme === 'Bearer') return this.ofToken(credential)
    if (scheme === 'Basic') {
      const [email = '', password = ''] = Buffer.from(credential, 'base64').toString().split(':')
      return this.ofPassword(email, password)
    }
    return this.sessions.get(/JSESSIONID=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '') ?? null
  }

  readonly routes: readonly Route[] = [
    { method: 'POST', path: '/api/session', handle: (call) => this.signIn(new URLSearchParams(call.body)) },
    { method: 'GET', path: '/api/session', handle: (call) => this.session(call) },
    { method: 'GET', path: '/api/server', handle: (call) => answerOf(this.server(call), this.switches) },
    { method: 'DELETE', path: '/api/session', handle: () => ({ status: 204 }) },
    { method: 'POST', path: '/api/session/token', handle: (call) => this.issue(call) },
    { method: 'POST', path: '/api/session/token/revoke', handle: (call) => this.revoke(call) },
  ]

  private signIn(form: URLSearchParams): Answer {
    const account = this.ofPassword(form.get('email') ?? '', form.get('password') ?? '')
    if (account === null) return this.unauthorized()
    if (this.context.settings['disabled']) throw new JavaException('SecurityException', 'Account is disabled')
    if (this.context.settings['totp'] && form.get('code') !== CODE) {
      const { headers, ...rest } = this.unauthorized()
      return form.has('code') ? rest : { ...rest, headers: { ...headers, 'www-authenticate': 'TOTP' } }
    }
    return this.startSession(account)
  }

  private startSession(account: number): Answer {
    const id = `node0session${this.sessions.size + 1}`
    this.sessions.set(id, account)
    const user = answerOf(this.user(account), this.switches)
    return { ...user, headers: { 'set-cookie': `JSESSIONID=${id}; Path=/; HttpOnly` } }
  }

  private session(call: Call): Answer {
    const token = call.query.get('token')
    if (token !== null) {
      const account = this.ofToken(token)
      return account === null ? this.unauthorized() : this.startSession(account)
    }
    const account = this.accountOf(call)
    return account === null ? refused(404, true) : answerOf(this.user(account), this.switches)
  }

  private issue(call: Call): Answer {
    const account = this.accountOf(call)
    if (account === null) return this.unauthorized()
    const expiration = new URLSearchParams(call.body).get('expiration')
    const defaultExpiry = this.switches.is('tokenLife', 'week') ? this.context.clock.now() + WEEK : Infinity
    const token = `issued-${this.tokens.size + 1}-to-${account}`
    this.tokens.set(token, { account, expiresAt: expiration ? Date.parse(expiration) : defaultExpiry })
    return { status: 200, body: token }
  }

  private revoke(call: Call): Answer {
    if (this.accountOf(call) === null) return this.unauthorized()
    this.revoked.add(new URLSearchParams(call.body).get('token') ?? '')
    return { status: 204 }
  }

  private ofToken(token: string): number | null {
    if (this.revoked.has(token)) return null
    const issued = this.tokens.get(token)
    if (issued) return issued.expiresAt > this.context.clock.now() ? issued.account : null
    return this.existing(/^token-(\d+)$/.exec(token)?.[1])
  }

  private ofPassword(email: string, password: string): number | null {
    const account = this.existing(/^fleet(\d+)@fleets\.example$/.exec(email)?.[1])
    return account !== null && password === `password-${account}` ? account : null
  }

  private existing(number: string | undefined): number | null {
    return number !== undefined && this.context.accounts.has(Number(number)) ? Number(number) : null
  }

  unauthorized(): Answer {
    return refused(401, this.switches.is('bodyOf401', 'trace'))
  }

  private user(account: number): object {
    const world = this.context.accounts.world(account)
    const { account: fleet, startsAt } = world
    return {
      id: fleet.number,
      name: fleet.name,
      email: `fleet${account}@fleets.example`,
      phone: null,
      readonly: false,
      administrator: false,
      disabled: false,
      expirationTime: null,
      deviceLimit: -1,
      userLimit: 0,
      lastLogin: toDate(startsAt),
      attributes: withZone(zonesOf(world, this.switches).user),
    }
  }

  /** Returns the settings of the server, which are public. */
  private server(call: Call): object {
    const world = this.context.accounts.world(this.accountOf(call) ?? 1)
    const { server, forceSettings = false } = zonesOf(world, this.switches)
    return { id: 1, version: '6.6', forceSettings, attributes: withZone(server) }
  }
}

const withZone = (timezone: string | undefined): object => (timezone === undefined ? {} : { timezone })
