import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { modelNames } from '../../../src/domain/record-models.ts'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import type { FleetAccount, Manifest, OAuthClient, ProviderAdapter } from '../../../src/providers/provider.ts'
import { hashKey } from '../../../src/auth/keys.ts'

const manifest: Manifest = {
  code: 'harbor',
  name: 'Harbor Telematics',
  status: 'live',
  logo: 'data:,',
  icon: 'data:,',
  supportedModels: Object.fromEntries(
    modelNames.map((name) => [name, { read: name === 'Vehicle' ? 'supported' : 'not_supported' }]),
  ) as Manifest['supportedModels'],
  references: [],
  signIns: [
    {
      id: 'password',
      kind: 'form',
      label: 'withPassword',
      fields: [
        { name: 'user', kind: 'text', label: 'user' },
        { name: 'password', kind: 'password', label: 'password' },
        { name: 'database', kind: 'text', label: 'database', isOptional: true },
      ],
    },
    { id: 'oauth', kind: 'oauth', label: 'atProvider' },
  ],
}

interface Granted {
  readonly challenge: string
  readonly redirectUri: string
  readonly user: string
}

/** A small provider over HTTP. Users sign in with a password or on the provider's page. */
export class SmallProvider {
  /** Statuses for the next account requests, instead of the account. */
  readonly faults: number[] = []
  private held: Promise<void> | null = null
  private readonly codes = new Map<string, Granted>()
  private readonly tokens = new Map<string, string>()
  private readonly server = createServer((request, response) => void this.answer(request, response))

  static async start(): Promise<SmallProvider> {
    const harbor = new SmallProvider()
    await new Promise<void>((ready) => harbor.server.listen(0, '127.0.0.1', ready))
    return harbor
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Consents on the provider's page. Returns the redirect URL with the code. */
  signIn(authorize: URL, user: string): string {
    const {
      state = '',
      challenge = '',
      redirect_uri: redirectUri = '',
    } = Object.fromEntries(authorize.searchParams)
    const code = `code-${this.codes.size + 1}`
    this.codes.set(code, { challenge, redirectUri, user })
    return `${redirectUri}?${new URLSearchParams({ state, code })}`
  }

  refuse(authorize: URL, error = 'access_denied'): string {
    const { state = '', redirect_uri: redirectUri } = Object.fromEntries(authorize.searchParams)
    return `${redirectUri}?${new URLSearchParams({ state, error })}`
  }

  /** Delays account and token requests until the returned function is called. */
  hold(): () => void {
    let release = () => {}
    this.held = new Promise((go) => (release = go))
    return () => {
      this.held = null
      release()
    }
  }

  get adapter(): ProviderAdapter {
    const oauth: OAuthClient = {
      authorizeUrl: ({ state, challenge, redirectUri }) =>
        `https://harbor.example.com/sign-in?${new URLSearchParams({ state, challenge, redirect_uri: redirectUri })}`,
      exchange: async ({ code, verifier, redirectUri }, signal) => {
        const body = JSON.stringify({ code, verifier, redirectUri })
        const response = await fetch(`${this.url}/token`, { method: 'POST', body, signal })
        if (!response.ok) throw new ProviderError('invalid_credentials', 'invalid code')
        return (await response.json()) as { token: string }
      },
    }
    return {
      manifest,
      oauth,
      api: ({ user = '', password = '', token = '' }, signal) =>
        createProviderApi({
          baseUrl: this.url,
          headers: { authorization: token || `${user}:${password}` },
          signal,
        }),
      identify: async (api) => (await api.get('/account')) as FleetAccount,
      readers: {},
      latest: {},
    }
  }

  close(): Promise<unknown> {
    this.server.closeAllConnections()
    return new Promise((closed) => this.server.close(closed))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.held
    if (request.url === '/token') return send(response, ...this.exchanged(await bodyOf(request)))
    const [user = '', password] = this.signedIn(request.headers.authorization ?? '')
    const fault = this.faults.shift()
    if (fault !== undefined) return send(response, fault, {})
    if (password !== 'right') return send(response, 401, {})
    const person = { sourceId: user, firstName: user, lastName: 'Doe', email: `${user}@example.com` }
    send(response, 200, {
      sourceId: `fleet-of-${user}`,
      name: `Fleet of ${user}`,
      dotNumbers: ['123'],
      user: person,
      timeZone: 'America/Chicago',
    })
  }

  private signedIn(authorization: string): string[] {
    const user = this.tokens.get(authorization)
    return user === undefined ? authorization.split(':') : [user, 'right']
  }

  private exchanged(body: Readonly<Record<string, string>>): [number, object] {
    const granted = this.codes.get(body['code'] ?? '')
    this.codes.delete(body['code'] ?? '')
    const fits = granted?.challenge === hashKey(body['verifier'] ?? '')
    if (!granted || !fits || granted.redirectUri !== body['redirectUri']) return [400, {}]
    const token = `planted-token-of-${granted.user}`
    this.tokens.set(token, granted.user)
    return [200, { token }]
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text) as Record<string, string>
}

function send(response: ServerResponse, status: number, body: object): void {
  // A retry is allowed at once: tests do not wait.
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
  response.end(JSON.stringify(body))
}
