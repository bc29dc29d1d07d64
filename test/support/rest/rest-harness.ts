import { createOnDemandPoll } from '../../../src/sync/ingest/latest/on-demand-poll.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { collapseSlashes, mountRest } from '../../../rest-compat/mount.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { authenticator } from '../../../src/auth/caller.ts'
import { createContextFactory } from '../../../src/gateway/context.ts'
import { createGateway } from '../../../src/gateway/gateway.ts'
import { createApp } from '../../../src/http/app.ts'
import { modelNames } from '../../../src/domain/record-models.ts'
import type { Manifest, ProviderAdapter } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { masterEncryption, type ApiClient, temporaryDatabase, newRenewals } from '../factories.ts'
import { documented, type ExpectDocumented } from './openapi-validation.ts'

export const LINK = 'https://link.example.com'

const supportedModels = Object.fromEntries(
  modelNames.map((name) => [name, { read: 'not_supported_by_provider' }]),
) as Record<(typeof modelNames)[number], Manifest['supportedModels']['Trip']>

export const manifest: Manifest = {
  code: 'sandbox',
  name: 'Sandbox',
  status: 'sandbox',
  baseCode: 'simulated',
  logo: 'https://example.com/logo.svg',
  icon: 'https://example.com/icon.svg',
  supportedModels: {
    ...supportedModels,
    Vehicle: { read: 'supported' },
    VehicleLocation: { read: 'supported', sampleRate: '15 seconds', availableHistory: '1 year' },
    SafetyEvent: { read: 'not_supported', types: ['speeding', 'crash'] },
  },
  references: [{ type: 'developer-docs', url: 'https://example.com/docs', label: 'Docs' }],
  signIns: [],
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any -- a body is any JSON
  readonly body: any
  /** SQL statements of the request, without those of authentication. */
  readonly statements: readonly string[]
}

type Sent = Readonly<Record<string, string>>

export interface RestHarness extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly db: Database
  /** Log lines of level error. */
  readonly logged: Record<string, unknown>[]
  /** Makes every later statement fail. */
  breakDatabase(cause: string): void
  get(path: string, client?: ApiClient | null, headers?: Sent): Promise<Answer>
  /** Sends a request, with a JSON body if one is given. */
  write(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    client: ApiClient,
    body?: unknown,
  ): Promise<Answer>
  send(method: string, path: string, headers?: Sent, payload?: string): Promise<Answer>
}

interface RestOptions {
  readonly dialect?: Dialect
  readonly unknownParameters?: 'refuse' | 'ignore'
  /** Default: a provider of which only the manifest is used. */
  readonly providers?: readonly ProviderAdapter[]
}

/** Cached: every gateway serves the same document. */
let expectDocumented: ExpectDocumented | undefined

/** Starts the REST layer over a gateway and an empty database. */
export async function startRest({
  dialect = 'sqlite',
  unknownParameters = 'refuse',
  providers = [{ manifest } as ProviderAdapter],
}: RestOptions = {}): Promise<RestHarness> {
  const db = await temporaryDatabase(dialect)
  const logged: Record<string, unknown>[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  let broken: string | null = null
  const rows: Database['rows'] = (sql, parameters) =>
    broken === null ? db.rows(sql, parameters) : Promise.reject(new Error(broken))
  const transaction: Database['transaction'] = (work) =>
    broken === null ? db.transaction(work) : Promise.reject(new Error(broken))
  const breakable = { rows, transaction, dialect: db.dialect }
  const queue = inProcessQueue({ onError: () => undefined })
  const deps = {
    db: breakable,
    notifier: createInProcessNotifier(),
    renewals: newRenewals(),
    clock: systemClock,
    registry: registry(providers),
    secrets: masterEncryption,
  }
  const app = createApp({ log, rewriteUrl: collapseSlashes })
  const gateway = createGateway({
    authenticate: authenticator(callerLookups(breakable)),
    contextFor: createContextFactory({
      ...deps,
      log,
      cursorKey: masterEncryption.derive('cursors'),
      queue,
      linkUrl: () => LINK,
      publicUrl: () => 'https://api.example.com',
      mediaUrl: ({ eventSourceId, facing }) => `${LINK}/media/${eventSourceId}/${facing}`,
      pollOnDemand: createOnDemandPoll(deps),
    }),
    log,
  })
  mountRest(app, { gateway, eventTypes, unknownParameters })
  const send = sending(app, db, (expectDocumented ??= documented(routes, gateway.supergraph.apiSchema)))
  return {
    app,
    db,
    logged,
    breakDatabase: (cause) => void (broken = cause),
    send,
    write: (method, path, client, body) =>
      send(
        method,
        path,
        { ...headersOf(client), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        body === undefined ? undefined : JSON.stringify(body),
      ),
    get: (path, client = null, headers = {}) =>
      send('GET', path, { ...(client ? headersOf(client) : {}), ...headers }),
    async [Symbol.asyncDispose]() {
      await app.close()
      await queue.close()
      await db[Symbol.asyncDispose]()
    },
  }
}

export const headersOf = ({ secretKey, token }: ApiClient): Sent => ({
  authorization: `Bearer ${secretKey}`,
  ...(token === null ? {} : { 'connection-token': token }),
})

const findsCaller = (sql: string) => sql.includes('`hash` = ?') || sql.includes('`tokenHash` = ?')

const sending =
  (app: FastifyInstance, db: Database, expectDocumented: ExpectDocumented): RestHarness['send'] =>
  async (method, path, headers = {}, payload) => {
    const statements: string[] = []
    const leave = db.onStatement((sql) => void statements.push(sql))
    const url = path.startsWith('/tsp') || path.startsWith('//') ? path : `/tsp/v1${path}`
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    leave()
    const text = answer.body
    const isJson = text !== '' && String(answer.headers['content-type']).startsWith('application/json')
    const body = isJson ? JSON.parse(text) : undefined
    const contentType = answer.headers['content-type']?.toString()
    const served = collapseSlashes(url)
    if (served.startsWith('/tsp/v1/') && text !== '')
      expectDocumented(method, served.slice('/tsp/v1'.length), {
        status: answer.statusCode,
        contentType,
        body,
      })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      bytes: answer.rawPayload,
      body,
      statements: statements.filter((sql) => !findsCaller(sql)),
    }
  }
