import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Simulator, startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { withEchoes, echoHeaders, credentialsIn, withMalformedRecords } from './echoed-secrets.ts'

/** Behaviour of the provider for an account: answer, refuse, forbid, fail, or send malformed records. */
export type AccountBehaviour =
  'answers' | 'refuses' | 'refuses_records' | 'forbids' | 'fails' | 'garbles' | 'sends_no_json'

const STATUS: Readonly<Partial<Record<AccountBehaviour, number>>> = {
  refuses: 401,
  refuses_records: 401,
  forbids: 403,
  fails: 503,
}

const SIGN_INS = new Set(['/sessions', '/oauth/token'])

/**
 * A proxy of the simulated provider that echoes the request's credentials in every response, in many
 * encodings. It has API keys of its own, each for one account of the simulator.
 */
export class EchoingProvider implements AsyncDisposable {
  /** Secrets that it received or issued, by their name. */
  readonly known = new Map<string, string>()
  private readonly accounts = new Map<string, string>()
  private readonly behaviours = new Map<string, AccountBehaviour>()
  private readonly echoed = new Map<string, number>()
  private readonly server = createServer((request, response) => {
    // During shutdown the simulator is already closed.
    this.answer(request, response).catch(() => response.destroy())
  })

  private constructor(private readonly simulator: Simulator) {}

  static async start(): Promise<EchoingProvider> {
    const provider = new EchoingProvider(await startSimulator({ controls: true, ratePerSecond: 10_000 }))
    provider.server.listen(0, '127.0.0.1')
    await once(provider.server, 'listening')
    return provider
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Adds an API key of an account, and returns the key. */
  addKey(key: string, account: string): string {
    this.accounts.set(key, account)
    this.known.set(key, 'API key')
    return key
  }

  setBehaviour(account: string, behaviour: AccountBehaviour): void {
    this.behaviours.set(account, behaviour)
    this.echoed.delete(`${account} ${behaviour}`)
  }

  /** Returns the number of responses for an account since its last change of behaviour. */
  responseCount(account: string): number {
    return this.echoed.get(`${account} ${this.behaviourOf(account)}`) ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await this.simulator.close()
  }

  private behaviourOf(account: string): AccountBehaviour {
    return this.behaviours.get(account) ?? 'answers'
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const credentials = credentialsIn(request, body)
    const secrets = [...credentials].filter(([, name]) => name !== 'user').map(([secret]) => secret)
    for (const secret of secrets)
      this.known.set(secret, this.known.get(secret) ?? credentials.get(secret) ?? '')
    const account = this.accountOf(credentials)
    const behaviour = this.behaviourOf(account)
    const path = new URL(request.url ?? '/', this.url).pathname
    this.echoed.set(`${account} ${behaviour}`, (this.echoed.get(`${account} ${behaviour}`) ?? 0) + 1)
    const status = behaviour === 'refuses_records' && SIGN_INS.has(path) ? undefined : STATUS[behaviour]
    if (status !== undefined)
      return send(response, status, secrets, JSON.stringify({ error: 'invalid_grant' }))
    const answer = await this.forwarded(request, body)
    const text = await answer.text()
    if (SIGN_INS.has(path)) this.noteIssued(text, account)
    if (answer.headers.get('content-type')?.startsWith('application/json') !== true)
      return pass(response, answer, text)
    if (behaviour === 'sends_no_json')
      return send(response, answer.status, secrets, `<p>${secrets.join(' ')}</p>`, false)
    send(
      response,
      answer.status,
      secrets,
      behaviour === 'garbles' ? withMalformedRecords(text, secrets) : text,
    )
  }

  /** Returns the account of credentials: those of a key, of a user, or issued ones. */
  private accountOf(credentials: ReadonlyMap<string, string>): string {
    for (const secret of credentials.keys()) {
      const account = this.accounts.get(secret)
      if (account !== undefined) return account
    }
    const [user] = [...credentials].find(([, name]) => name === 'user') ?? ['']
    return user
  }

  private forwarded(request: IncomingMessage, body: string): Promise<Response> {
    const { method = 'GET', url = '/', headers } = request
    const bearer = headers.authorization?.replace(/^Bearer /, '')
    const key = bearer === undefined ? undefined : (this.accounts.get(bearer) ?? bearer)
    const simulated = bearer?.includes('.') ? bearer : key
    return fetch(`http://127.0.0.1:${this.simulator.port}${url}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(headers['content-type'] === undefined ? {} : { 'content-type': headers['content-type'] }),
        ...(simulated === undefined ? {} : { authorization: `Bearer ${simulated}` }),
      },
      ...(method === 'GET' ? {} : { body }),
    })
  }

  /** Records the credentials that it issues: they are secrets of this account. */
  private noteIssued(text: string, account: string): void {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>>
    const user = typeof given['user'] === 'string' ? given['user'] : account
    for (const name of ['session', 'access_token', 'refresh_token']) {
      const secret = given[name]
      if (typeof secret !== 'string') continue
      this.known.set(secret, name)
      this.accounts.set(secret, user)
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Forwards a page for browsers, or a redirect. */
function pass(response: ServerResponse, answer: Response, text: string): void {
  const location = answer.headers.get('location')
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'text/plain',
    ...(location === null ? {} : { location }),
  })
  response.end(text)
}

function send(
  response: ServerResponse,
  status: number,
  secrets: readonly string[],
  text: string,
  isJson = true,
): void {
  response.writeHead(status, {
    'content-type': isJson ? 'application/json' : 'text/html',
    'retry-after': '0',
    ...echoHeaders(secrets),
  })
  response.end(isJson ? withEchoes(text, secrets) : text)
}
