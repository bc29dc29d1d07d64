import { setTimeout as wait } from 'node:timers/promises'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import type { Id } from '../../../src/domain/ids.ts'
import type { LatestModel } from '../../../src/domain/record-models.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { startSimulator, type Simulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { pollConnection } from '../../../src/sync/poll-connection.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { startEventSequencer } from '../../../src/webhooks/event-sequencer.ts'
import { type Home, makeHome, type Store } from '../../prove/support/service-process.ts'
import { newRenewals, type ApiClient } from '../factories.ts'

const HOUR_MS = 3_600_000

const asItIs = (adapter: ProviderAdapter): ProviderAdapter => adapter

interface StartOptions {
  readonly vehicles?: number
  readonly wrapped?: (adapter: ProviderAdapter) => ProviderAdapter
  readonly startsAt?: number
}

/** The sync engine with a database, a provider that can fail on request, and a clock that can be moved. */
export class SyncHarness {
  private constructor(
    readonly home: Home,
    readonly db: Database,
    private readonly simulator: Simulator,
    readonly tools: WorkerDeps,
    readonly connectionId: Id<'connection'>,
    readonly key: string,
    private now: number,
  ) {}

  /** `startsAt` sets the clocks of the service and of the provider. The default is the present. */
  static async start(
    store: Store,
    { vehicles = 12, wrapped = asItIs, startsAt }: StartOptions = {},
  ): Promise<SyncHarness> {
    const key = `sandbox-${vehicles}-3`
    const home = await makeHome(store)
    const db = await home.open()
    await db.migrate()
    const simulator = await startSimulator({ controls: true, ratePerSecond: 10_000 })
    const harness: { now: () => number } = { now: () => startsAt ?? Date.now() }
    const tools: WorkerDeps = {
      db,
      queue: inProcessQueue({ onError: () => undefined }),
      notifier: createInProcessNotifier(),
      renewals: newRenewals(),
      registry: registry([wrapped(sandboxAdapter(`http://127.0.0.1:${simulator.port}`))]),
      secrets: createEncryption(Buffer.alloc(32, 7)),
      clock: { now: () => harness.now() },
      log: createLog('silent'),
      eventRetentionDays: 30,
      removalHold: { percent: 20, minutes: 60 },
      requestLogDays: 3,
      purchaseRetentionDays: 2557,
    }
    const connectionId = await connect(tools, key)
    const started = new SyncHarness(home, db, simulator, tools, connectionId, key, harness.now())
    harness.now = () => started.now
    if (startsAt !== undefined) await started.control('clock', { offsetMs: startsAt - Date.now() })
    return started
  }

  moveClock(ms: number): void {
    this.now += ms
  }

  /** Requests a sync and runs its attempts as a worker does. */
  async sync(): Promise<void> {
    await this.run((await this.request()).id)
  }

  request() {
    return requestSync(
      this.db,
      { connectionId: this.connectionId, providerName: 'Sandbox' },
      this.tools.clock.now(),
    )
  }

  async run(syncId: Id<'sync'>, signal = new AbortController().signal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(syncId, attempt, signal)
      } catch (error) {
        if (attempt === 6 || signal.aborted) throw error
      }
    }
  }

  /** Runs one attempt of a sync. */
  attempt(syncId: Id<'sync'>, attempt: number, signal = new AbortController().signal): Promise<void> {
    return syncConnection(this.tools, syncId, { id: `job-${attempt}`, attempt, signal })
  }

  poll(model: LatestModel = 'LatestVehicleLocation'): Promise<void> {
    return pollConnection(this.tools, this.connectionId, model, {
      id: 'poll',
      attempt: 1,
      signal: new AbortController().signal,
    })
  }

  /** Returns the caller that reads this connection. */
  async client(): Promise<ApiClient> {
    const connection = await findById(this.db, Connection, this.connectionId)
    if (!connection) throw new Error('no connection')
    const { applicationId, id: connectionId } = connection
    return { applicationId, connectionId, secretKey: 'not a key', token: 'not a token' }
  }

  async dispatch(): Promise<void> {
    const sequencer = startEventSequencer(this.db, this.tools.notifier, this.tools.log)
    await sequencer.assignPositions()
    await sequencer.close()
  }

  /** Sends a control request for this account to the provider. */
  async control(path: 'clock' | 'faults' | 'records', body: object): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.simulator.port}/control/${path}`, {
      method: 'POST',
      body: JSON.stringify({ key: this.key, ...body }),
    })
    if (!response.ok) throw new Error(await response.text())
  }

  async count(from: string): Promise<number> {
    const [row] = await this.db.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`)
    return Number(row?.n)
  }

  /** Returns the number of events by type. */
  async events(): Promise<Record<string, number>> {
    const rows = await this.db.rows<{ type: string; n: number }>(
      'SELECT `type`, COUNT(*) AS n FROM `events` GROUP BY `type`',
    )
    return Object.fromEntries(rows.map(({ type, n }) => [type, Number(n)]))
  }

  async syncRow(): Promise<{ status: string; failureReason: string | null; progress: number }> {
    const [row] = await this.db.rows<{ status: string; failureReason: string | null; progress: number }>(
      'SELECT `status`, `failureReason`, `progress` FROM `syncs` ORDER BY `id` DESC LIMIT 1',
    )
    if (!row) throw new Error('no sync')
    return row
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tools.queue.close()
    await this.simulator.close()
    await this.db.close()
    await this.home.remove()
  }
}

async function connect(tools: WorkerDeps, apiKey: string): Promise<Id<'connection'>> {
  const { db, secrets, registry: providers, clock } = tools
  const provider = providers.find('sandbox')
  if (!provider) throw new Error('no sandbox adapter')
  const now = clock.now()
  const { application } = await createApplication(db, { name: 'Test', environment: 'sandbox', now })
  const { connection } = await createConnection(
    { db, secrets, now },
    {
      applicationId: application.id,
      provider,
      credentials: { apiKey },
      backfillFrom: now - 6 * HOUR_MS,
    },
  )
  return connection.id
}

export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(10)
}
