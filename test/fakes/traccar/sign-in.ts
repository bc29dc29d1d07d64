import type { Ground } from '../kit/fake.ts'
import type { Answer, Call, Route } from '../kit/http.ts'
import { JavaException, refused } from './failure.ts'
import { answerOf, moment, type TraccarSwitches } from './wire.ts'
import { zonesOf } from './zones.ts'

const WEEK = 7 * 86_400_000
/** The current code of every authenticator. */
const CODE = '123456'

/**
 * Sign-in of customers. Customer 3 signs in as fleet3@fleets.example with password-3, and has token-3. With
 * the setting `totp` the password also needs a code; with `disabled` the user is disabled.
 */
export class SignIns {
  private readonly sessions = new Map<string, number>()
  private readonly tokens = new Map<string, { account: number; expiresAt: number }>()
  private readonly revoked = new Set<string>()

  constructor(
    private readonly ground: Ground,
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
    if (this.ground.settings['disabled']) throw new JavaException('SecurityException', 'Account is disabled')
    if (this.ground.settings['totp'] && form.get('code') !== CODE) {
      const { headers, ...rest } = this.unauthorized()
      return form.has('code') ? rest : { ...rest, headers: { ...headers, 'www-authenticate': 'TOTP' } }
    }
    return this.begin(account)
  }

  private begin(account: number): Answer {
    const id = `node0session${this.sessions.size + 1}`
    this.sessions.set(id, account)
    const user = answerOf(this.user(account), this.switches)
    return { ...user, headers: { 'set-cookie': `JSESSIONID=${id}; Path=/; HttpOnly` } }
  }

  private session(call: Call): Answer {
    const token = call.query.get('token')
    if (token !== null) {
      const account = this.ofToken(token)
      return account === null ? this.unauthorized() : this.begin(account)
    }
    const account = this.accountOf(call)
    return account === null ? refused(404, true) : answerOf(this.user(account), this.switches)
  }

  private issue(call: Call): Answer {
    const account = this.accountOf(call)
    if (account === null) return this.unauthorized()
    const expiration = new URLSearchParams(call.body).get('expiration')
    const usual = this.switches.is('tokenLife', 'week') ? this.ground.clock.now() + WEEK : Infinity
    const token = `issued-${this.tokens.size + 1}-to-${account}`
    this.tokens.set(token, { account, expiresAt: expiration ? Date.parse(expiration) : usual })
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
    if (issued) return issued.expiresAt > this.ground.clock.now() ? issued.account : null
    return this.existing(/^token-(\d+)$/.exec(token)?.[1])
  }

  private ofPassword(email: string, password: string): number | null {
    const account = this.existing(/^fleet(\d+)@fleets\.example$/.exec(email)?.[1])
    return account !== null && password === `password-${account}` ? account : null
  }

  private existing(number: string | undefined): number | null {
    return number !== undefined && this.ground.accounts.has(Number(number)) ? Number(number) : null
  }

  unauthorized(): Answer {
    return refused(401, this.switches.is('bodyOf401', 'trace'))
  }

  private user(account: number): object {
    const world = this.ground.accounts.world(account)
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
      lastLogin: moment(startsAt),
      attributes: withZone(zonesOf(world, this.switches).user),
    }
  }

  /** Settings of the server, which need no session. */
  private server(call: Call): object {
    const world = this.ground.accounts.world(this.accountOf(call) ?? 1)
    const { server, forceSettings = false } = zonesOf(world, this.switches)
    return { id: 1, version: '6.6', forceSettings, attributes: withZone(server) }
  }
}

const withZone = (timezone: string | undefined): object => (timezone === undefined ? {} : { timezone })
