import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../src/storage/database.ts'
import { runInProcess } from '../harnesses/cli-harness.ts'
import { Browser, overHttp } from '../link/http-browser.ts'
import { type Home, makeHome, ServiceProcess, type Store } from '../../prove/support/service-process.ts'
import { WebhookInbox } from '../webhooks/webhook-inbox.ts'
import { EchoingProvider } from './echoing-provider.ts'
import type { Place } from './secret-search.ts'

export const METRICS_TOKEN = 'a-planted-token-of-the-metrics-collector'
export const ENCRYPTION_KEY = Buffer.from('a planted encryption key of 32 B').toString('base64')

export interface Linked {
  readonly id: string
  readonly token: string
}

interface ConnectionState {
  readonly status: string
  readonly lastSync: { readonly id: string; readonly status: string } | null
}

type Headers = Readonly<Record<string, string>>

/**
 * A service with one application. Its provider and its webhook receiver echo everything that they receive.
 */
export class ServiceLife implements AsyncDisposable {
  /** Secrets of the application, by name. */
  readonly seeded = new Map([
    [METRICS_TOKEN, 'metrics token'],
    [ENCRYPTION_KEY, 'encryption key'],
  ])
  /** Responses to callers, except new secrets. */
  readonly responses: Place[] = []

  private constructor(
    readonly home: Home,
    readonly db: Database,
    readonly service: ServiceProcess,
    readonly provider: EchoingProvider,
    readonly inbox: WebhookInbox,
    readonly application: { readonly secretKey: string; readonly publishableKey: string },
  ) {
    this.seed(application.secretKey, 'secret key')
  }

  static async start(store: Store): Promise<ServiceLife> {
    const home = await makeHome(store)
    const [provider, inbox] = await Promise.all([
      EchoingProvider.start(),
      WebhookInbox.start({ react: repeated }),
    ])
    const environment = {
      DEMO: 'off',
      ENCRYPTION_KEY,
      METRICS_TOKEN,
      LOG_LEVEL: 'debug',
      LOCATION_POLL_SECONDS: '1',
      SANDBOX_URL: provider.url,
      WEBHOOK_ALLOW: '127.0.0.1',
      WEBHOOK_HTTP: 'on',
    }
    const service = await ServiceProcess.start(home, [], environment)
    const made = await runInProcess(home, { ...home.environment, ...environment }, [
      '--json',
      'applications',
      'create',
      'Fuel Cards Inc.',
      '--environment',
      'sandbox',
    ])
    return new ServiceLife(home, await home.open(), service, provider, inbox, JSON.parse(made.out))
  }

  seed(secret: string, name: string): string {
    this.seeded.set(secret, name)
    return secret
  }

  /** Runs a GraphQL operation. Records the response, unless it contains a new secret. */
  // oxlint-disable-next-line typescript/no-explicit-any -- data is what was selected
  async graphql(query: string, variables: object = {}, headers: Headers = {}, shows = false): Promise<any> {
    const { secretKey } = this.application
    const response = await fetch(`${this.service.ready.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    const text = await response.text()
    if (!shows) this.record(`the response to ${query}`, response, text)
    return JSON.parse(text)
  }

  async mutate(name: string, input: object, selection: string, headers: Headers = {}, shows = false) {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
    const { data, errors } = await this.graphql(text, { input }, headers, shows)
    return { payload: data?.[name] ?? null, code: errors?.[0]?.extensions?.code ?? null }
  }

  async rest(method: string, path: string, headers: Headers = {}, body?: object): Promise<number> {
    const response = await fetch(`${this.service.ready.url}/tsp/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.application.secretKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    this.record(`the response to ${method} ${path}`, response, await response.text())
    return response.status
  }

  private record(where: string, { headers }: Response, text: string): void {
    this.responses.push(
      { where, text },
      { where: `the head of ${where}`, text: JSON.stringify([...headers]) },
    )
  }

  browser(): Browser {
    return new Browser(overHttp, {}, [new URL(this.service.ready.url).host])
  }

  /** Starts a link run and goes up to the sign-in page. */
  async begin(path: string): Promise<Browser> {
    const browser = this.browser()
    const url = new URL(path, this.service.ready.url)
    url.searchParams.set('key', this.application.publishableKey)
    await browser.open(url.href)
    this.seed(browser.page.url.pathname.split('/').at(-1) ?? '', 'token of a link run')
    return browser
  }

  /** Runs the account check. Returns the step that the page then shows. */
  async checked(browser: Browser): Promise<string> {
    while (browser.step === 'checking') {
      await wait(20)
      await browser.reload()
    }
    return browser.step
  }

  /** Finishes a run after sign-in: exchanges its public token. */
  async end(browser: Browser): Promise<Linked> {
    if (browser.step === 'consent') await browser.submit('agree', { agreed: 'on' })
    const step = await this.checked(browser)
    const [publicToken] = /pub_tkn_\w+/.exec(browser.page.html) ?? []
    if (publicToken === undefined) throw new Error(`the run ended at ${step}: ${browser.page.html}`)
    this.seed(publicToken, 'public token')
    const { payload } = await this.mutate(
      'exchangePublicToken',
      { publicToken },
      'connection { id token }',
      {},
      true,
    )
    this.seed(payload.connection.token, 'connection token')
    return payload.connection
  }

  async connectionState({ id }: Linked): Promise<ConnectionState> {
    const { data } = await this.graphql(
      'query ($id: ID!) { connection(id: $id) { status lastSync { id status } } }',
      {
        id,
      },
    )
    return data.connection
  }

  /** Waits until the state of a connection fulfils a condition. */
  async waitForState(linked: Linked, holds: (state: ConnectionState) => boolean): Promise<ConnectionState> {
    for (;;) {
      const state = await this.connectionState(linked)
      if (holds(state)) return state
      await wait(50)
    }
  }

  /** Requests a sync once no other sync runs. */
  async requestSync(linked: Linked): Promise<string> {
    const syncId = await this.requestSyncUnlessDisconnected(linked)
    if (syncId === null) throw new Error('sync refused: the connection is disconnected')
    return syncId
  }

  /** Waits until the provider refuses the connection: in a requested sync, or in a poll before it. */
  async disconnected(linked: Linked): Promise<void> {
    const syncId = await this.requestSyncUnlessDisconnected(linked)
    if (syncId !== null)
      await this.waitForState(
        linked,
        ({ lastSync }) => lastSync?.id === syncId && lastSync.status === 'FAILED',
      )
    await this.waitForState(linked, ({ status }) => status === 'DISCONNECTED')
  }

  private async requestSyncUnlessDisconnected({ id: connectionId }: Linked): Promise<string | null> {
    for (;;) {
      const { payload, code } = await this.mutate('requestSync', { connectionId }, 'sync { id }')
      if (payload !== null) return payload.sync.id
      if (code === 'CONNECTION_DISCONNECTED') return null
      if (code !== 'CONFLICT' && code !== 'SERVICE_UNAVAILABLE') throw new Error(`sync refused: ${code}`)
      await wait(50)
    }
  }

  /** Requests a sync and waits for its end. */
  async synced(linked: Linked, outcome: string): Promise<void> {
    const syncId = await this.requestSync(linked)
    await this.waitForState(linked, ({ lastSync }) => lastSync?.id === syncId && lastSync.status === outcome)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]()
    await this.inbox[Symbol.asyncDispose]()
    await this.provider[Symbol.asyncDispose]()
    await this.db.close()
    await this.home.remove()
  }
}

/** Response of an echoing receiver: the whole request. */
const repeated: WebhookInbox['react'] = ({ body, headers }) => ({
  status: 500,
  headers: {
    'x-was-signed': String(headers['webhook-signature']),
    'x-body': Buffer.from(body).toString('base64'),
  },
  body: `${body}\n${Buffer.from(body).toString('base64')}\n${JSON.stringify(headers)}`,
})
