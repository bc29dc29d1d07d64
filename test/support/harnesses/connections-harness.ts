import { createOnDemandPoll } from '../../../src/sync/ingest/latest/on-demand-poll.ts'
import { type ContextFor, createContextFactory } from '../../../src/gateway/context.ts'
import type { Executor } from '../../../src/gateway/execution/executor.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'
import type { Id } from '../../../src/domain/ids.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { type Simulator, startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import type { NewConnectionInput } from '../../../src/subgraphs/connections/lifecycle/new-connection.ts'
import { createMediaTickets } from '../../../src/subgraphs/on-demand/media-tickets.ts'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { HOUR } from '../durations.ts'
import {
  callerOf,
  masterEncryption,
  NOON,
  type ApiClient,
  temporaryDatabase,
  newRenewals,
} from '../factories.ts'
import { type Answer, ask, credentialsOf, documentOf, silent, supergraph } from '../graph/graph-harness.ts'

const fused = createInProcessExecutor(supergraph)

/** A connection at the simulated provider, with the clients that may use it. */
export interface Linked {
  readonly id: Id<'connection'>
  readonly applicationId: Id<'application'>
  readonly apiKey: string
  /** The secret key with the connection token. */
  readonly client: ApiClient
  /** The secret key alone. */
  readonly owner: ApiClient
}

export interface Application {
  readonly id: Id<'application'>
  readonly owner: ApiClient
}

interface HarnessOptions {
  /** Limit of the time that a caller waits for the provider. */
  readonly liveTimeoutMs?: number
  /** Limit of the duration of a poll. */
  readonly maxPollMs?: number
}

/**
 * Connection commands over a database of their own and a simulated provider. The clock moves only when a test
 * moves it.
 */
export class ConnectionsHarness {
  private now = NOON
  private linked = 0
  /** Wraps the sandbox adapter; tests replace it. */
  adapt: (adapter: ProviderAdapter) => ProviderAdapter = (adapter) => adapter

  readonly tools: WorkerDeps
  readonly contextFor: ContextFor
  readonly added: string[] = []
  readonly tickets: ReturnType<typeof createMediaTickets>

  private constructor(
    readonly db: Database & AsyncDisposable,
    private readonly simulator: Simulator,
    { liveTimeoutMs, maxPollMs }: HarnessOptions,
  ) {
    const sandbox = sandboxAdapter(`http://127.0.0.1:${simulator.port}`)
    const found = () => this.adapt(sandbox)
    const queue = inProcessQueue({ onError: () => undefined })
    this.tools = {
      db,
      queue: {
        ...queue,
        close: () => queue.close(),
        waiting: (name) => queue.waiting(name),
        hasJob: (name, key) => queue.hasJob(name, key),
        remove: (connectionId) => queue.remove(connectionId),
        add: async (name, payload) => {
          this.added.push(`${name} ${Object.values(payload).join(' ')}`.trim())
        },
      },
      notifier: createInProcessNotifier(),
      renewals: newRenewals(),
      registry: { all: registry([sandbox]).all, find: (code) => (code === 'sandbox' ? found() : null) },
      secrets: masterEncryption,
      clock: { now: () => this.now },
      log: silent,
      eventRetentionDays: 30,
      removalHold: { percent: 20, minutes: 60 },
      requestLogDays: 3,
      purchaseRetentionDays: 2557,
      maxPollMs,
    }
    this.tickets = createMediaTickets(masterEncryption, this.tools.clock)
    this.contextFor = createContextFactory({
      ...this.tools,
      cursorKey: masterEncryption.derive('cursors'),
      linkUrl: () => 'https://link.example.com',
      publicUrl: () => 'https://api.example.com',
      mediaUrl: (film) => `https://media.example.com/${this.tickets.tokenOf(film)}`,
      pollOnDemand: createOnDemandPoll({ ...this.tools, liveTimeoutMs }),
    })
  }

  static async start(dialect: Dialect, options: HarnessOptions = {}): Promise<ConnectionsHarness> {
    const db = await temporaryDatabase(dialect)
    return new ConnectionsHarness(
      db,
      await startSimulator({ controls: true, ratePerSecond: 10_000 }),
      options,
    )
  }

  moveClock(ms: number): void {
    this.now += ms
  }

  async application(): Promise<Application> {
    const made = await createApplication(this.db, { name: 'Test', environment: 'sandbox', now: this.now })
    const { id } = made.application
    return { id, owner: { applicationId: id, connectionId: null, secretKey: made.secretKey, token: null } }
  }

  /** Links a new account, for the given application or a new one. */
  async link(given?: Application, input: Partial<NewConnectionInput> = {}): Promise<Linked> {
    const { id: applicationId, owner } = given ?? (await this.application())
    const provider = this.tools.registry.find('sandbox')
    if (!provider) throw new Error('no sandbox adapter')
    const apiKey = `sandbox-3-${++this.linked}`
    const { connection, token } = await createConnection(
      { db: this.db, secrets: masterEncryption, now: this.now },
      { applicationId, provider, credentials: { apiKey }, backfillFrom: this.now - HOUR, ...input },
    )
    const { id } = connection
    return { id, applicationId, apiKey, owner, client: { ...owner, connectionId: id, token } }
  }

  ask(
    client: ApiClient,
    text: string,
    variables: Readonly<Record<string, unknown>> = {},
    executor: Executor = fused,
  ): Promise<Answer> {
    return ask(executor, this.contextFor, { client, document: documentOf(text), variables })
  }

  /** Follows a subscription until it ends or fails. */
  async follow(
    client: ApiClient,
    text: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Answer[]> {
    const fresh = () => this.contextFor({ caller: callerOf(client), credentials: credentialsOf(client) })
    const request = { operation: soleOperation(text), variables, context: fresh() }
    const events = await fused.source(request)
    if (!(Symbol.asyncIterator in events)) return [events as Answer]
    const answers: Answer[] = []
    for await (const rootValue of events) {
      const answer = await fused.execute({ ...request, rootValue, context: fresh() })
      answers.push(JSON.parse(JSON.stringify(answer)) as Answer)
    }
    return answers
  }

  /** Runs one mutation. Returns its payload and its error code. */
  async mutate(client: ApiClient, name: string, input: object, selection: string): Promise<Outcome> {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
    const { data, errors } = await this.ask(client, text, { input })
    const [error] = errors ?? []
    return {
      payload: (data as Record<string, Outcome['payload']> | null)?.[name] ?? null,
      code: error?.extensions?.code ?? null,
      message: error?.message ?? null,
      detail: (error?.extensions as { detail?: unknown } | undefined)?.detail ?? null,
    }
  }

  async requestSync({ id: connectionId }: Linked): Promise<Id<'sync'>> {
    return (await requestSync(this.db, { connectionId, providerName: 'Sandbox' }, this.now)).id
  }

  async run(syncId: Id<'sync'>, attempt = 1): Promise<void> {
    const signal = new AbortController().signal
    await syncConnection(this.tools, syncId, { id: `job-${attempt}`, attempt, signal })
  }

  async sync(linked: Linked): Promise<Id<'sync'>> {
    const id = await this.requestSync(linked)
    await this.run(id)
    return id
  }

  /** Configures a fault of the provider for an account. */
  async fault({ apiKey }: Linked, fault: object): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.simulator.port}/control/faults`, {
      method: 'POST',
      body: JSON.stringify({ key: apiKey, ...fault }),
    })
    if (!response.ok) throw new Error(await response.text())
  }

  /** Returns the number of requests of an account at the provider, by path. */
  async requests({ apiKey }: Linked): Promise<Readonly<Record<string, number>>> {
    const response = await fetch(`http://127.0.0.1:${this.simulator.port}/control/requests`)
    return ((await response.json()) as Record<string, Record<string, number>>)[apiKey] ?? {}
  }

  /** Makes the provider refuse the account from now on. */
  revoke(linked: Linked): Promise<void> {
    return this.fault(linked, { status: 401, count: 1000 })
  }

  async row<Row = Record<string, unknown>>(table: string, id: string): Promise<Row> {
    const [row] = await this.db.rows<Row>(`SELECT * FROM \`${table}\` WHERE \`id\` = ?`, [id])
    if (!row) throw new Error(`no row ${id} in ${table}`)
    return row
  }

  set(table: string, id: string, values: Readonly<Record<string, unknown>>): Promise<unknown> {
    const columns = Object.keys(values).map((column) => `\`${column}\` = ?`)
    return this.db.transaction((tx) =>
      tx.run(`UPDATE \`${table}\` SET ${columns.join(', ')} WHERE \`id\` = ?`, [
        ...Object.values(values),
        id,
      ]),
    )
  }

  /** Returns the types of a connection's events with these prefixes, in log order. */
  async events({ id }: Pick<Linked, 'id'>, ...prefixes: readonly string[]): Promise<string[]> {
    const rows = await this.db.rows<{ type: string }>(
      'SELECT `type` FROM `events` WHERE `connectionId` = ? ORDER BY `sequence`',
      [id],
    )
    return rows.map(({ type }) => type).filter((type) => prefixes.some((prefix) => type.startsWith(prefix)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tools.queue.close()
    await this.simulator.close()
    await this.db[Symbol.asyncDispose]()
  }
}

export interface Outcome {
  // oxlint-disable-next-line typescript/no-explicit-any -- a payload is what was selected
  readonly payload: any
  readonly code: string | null
  readonly message: string | null
  readonly detail: unknown
}
