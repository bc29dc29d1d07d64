import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Simulator, startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { echoesIn, echoHeaders, saidIn, spoiled } from './echoed-secrets.ts'

/** How the provider treats an account: it answers, refuses, does not permit, fails, or sends what nobody can read. */
export type Mood =
  'answers' | 'refuses' | 'refuses_records' | 'forbids' | 'fails' | 'garbles' | 'sends_no_json'

const STATUS: Readonly<Partial<Record<Mood, number>>> = {
  refuses: 401,
  refuses_records: 401,
  forbids: 403,
  fails: 503,
}

const SIGN_INS = new Set(['/sessions', '/oauth/token'])

/**
 * The simulated provider behind a door that says again, in every answer and in many ways, whatever credentials it was
 * asked with. It knows API keys of its own, each of which opens an account of the simulator.
 */
export class EchoingProvider implements AsyncDisposable {
  /** Everything secret that it was told or has given out, with what it is. */
  readonly known = new Map<string, string>()
  private readonly accounts = new Map<string, string>()
  private readonly moods = new Map<string, Mood>()
  private readonly echoed = new Map<string, number>()
  private readonly server = createServer((request, response) => {
    // Who is asked while everything is closed has nobody to ask.
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

  /** A key that opens an account. */
  opens(key: string, account: string): string {
    this.accounts.set(key, account)
    this.known.set(key, 'API key')
    return key
  }

  treats(account: string, mood: Mood): void {
    this.moods.set(account, mood)
    this.echoed.delete(`${account} ${mood}`)
  }

  /** How often it has answered an account in the mood that it is in. */
  answersTo(account: string): number {
    return this.echoed.get(`${account} ${this.moodFor(account)}`) ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await this.simulator.close()
  }

  private moodFor(account: string): Mood {
    return this.moods.get(account) ?? 'answers'
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const said = saidIn(request, body)
    const secrets = [...said].filter(([, name]) => name !== 'user').map(([secret]) => secret)
    for (const secret of secrets) this.known.set(secret, this.known.get(secret) ?? said.get(secret) ?? '')
    const account = this.accountOf(said)
    const mood = this.moodFor(account)
    const path = new URL(request.url ?? '/', this.url).pathname
    this.echoed.set(`${account} ${mood}`, (this.echoed.get(`${account} ${mood}`) ?? 0) + 1)
    const status = mood === 'refuses_records' && SIGN_INS.has(path) ? undefined : STATUS[mood]
    if (status !== undefined)
      return send(response, status, secrets, JSON.stringify({ error: 'invalid_grant' }))
    const answer = await this.forwarded(request, body)
    const text = await answer.text()
    if (SIGN_INS.has(path)) this.noteIssued(text, account)
    if (answer.headers.get('content-type')?.startsWith('application/json') !== true)
      return pass(response, answer, text)
    if (mood === 'sends_no_json')
      return send(response, answer.status, secrets, `<p>${secrets.join(' ')}</p>`, false)
    send(response, answer.status, secrets, mood === 'garbles' ? spoiled(text, secrets) : text)
  }

  /** Whose credentials these are: those of a key, of a user, or of what was given out. */
  private accountOf(said: ReadonlyMap<string, string>): string {
    for (const secret of said.keys()) {
      const account = this.accounts.get(secret)
      if (account !== undefined) return account
    }
    const [user] = [...said].find(([, name]) => name === 'user') ?? ['']
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

  /** Remembers what it gives out: it is secret, too, and of this account. */
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

/** A page for the browsers of fleets, or where they are sent. */
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
  response.end(isJson ? echoesIn(text, secrets) : text)
}
