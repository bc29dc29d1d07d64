import { setTimeout as wait } from 'node:timers/promises'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createProviders } from '../../../src/app/create-providers.ts'
import { bullmqQueue } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { Disposer } from '../../../src/platform/lifecycle/disposer.ts'
import type { Database } from '../../../src/storage/database.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { type Connection, SyncMode } from '../../../src/subgraphs/connections/connection.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { enqueueSync, requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import type { Home } from '../support/service-process.ts'
import type { Budgeted } from './providers.ts'

const DAY_MS = 86_400_000
const LOOK_MS = 200
const MAX_DURATION_MS = 3_600_000

export const KEY = Buffer.alloc(32, 1)

export interface ConnectionsInput {
  readonly connections: number
  /** Number of connections with the same account, each of another integrator. */
  readonly 'per-account': number
  readonly days: number
  /** Syncs of each connection. */
  readonly rounds: number
}

interface Where {
  readonly home: Home
  readonly db: Database
  readonly environment: Readonly<Record<string, string>>
  readonly url: string
}

/** Connections of one provider, created and synced as the service does. */
export class SyncedConnections implements AsyncDisposable {
  private readonly opened = new Disposer()
  private readonly config
  private connections: readonly Connection[] = []

  constructor(
    private readonly where: Where,
    private readonly budgeted: Budgeted,
    private readonly input: ConnectionsInput,
  ) {
    const { home, environment } = where
    const requested = readConfig(['--data', home.folder], { ...home.environment, ...environment })
    if (!('config' in requested)) throw new Error('invalid settings')
    this.config = requested.config
  }

  async link(): Promise<void> {
    const registry = createProviders(this.config, createLog('warn'), this.opened)
    const provider = registry.find(this.budgeted.provider)
    if (!provider) throw new Error(`unknown provider ${this.budgeted.provider}`)
    const { db, url } = this.where
    const { connections, days, 'per-account': perAccount } = this.input
    const accounts = Math.ceil(connections / perAccount)
    const made: Connection[] = []
    for (let index = 0; index < connections; index++) {
      const now = Date.now()
      const { application } = await createApplication(db, {
        name: `Integrator ${index + 1}`,
        environment: 'sandbox',
        now,
      })
      const input = {
        applicationId: application.id,
        provider,
        credentials: this.budgeted.credentials(url, 1 + (index % accounts)),
        syncMode: SyncMode.MANUAL,
        backfillFrom: now - days * DAY_MS,
      }
      made.push((await createConnection({ db, secrets: createEncryption(KEY), now }, input)).connection)
    }
    this.connections = made
  }

  /** Requests all syncs at once, repeatedly. Returns their duration. */
  async sync(): Promise<number> {
    const { redisUrl = '', queuePrefix: prefix } = this.config
    const onError = (_job: string, _id: string | undefined, error: unknown) => console.error(error)
    const queue = this.opened.add(bullmqQueue({ redisUrl, prefix, onError }))
    const begun = performance.now()
    for (let round = 1; round <= this.input.rounds; round++) {
      for (const { id } of this.connections) {
        const requested = { connectionId: id, providerName: this.budgeted.provider }
        await enqueueSync({ queue }, await requestSync(this.where.db, requested, Date.now()))
      }
      await this.completed(round * this.connections.length, begun)
    }
    return (performance.now() - begun) / 1000
  }

  private async completed(many: number, begun: number): Promise<void> {
    const { db } = this.where
    for (let toldAt = begun; performance.now() - begun < MAX_DURATION_MS; await wait(LOOK_MS)) {
      const rows = await db.rows<{ status: string; n: number }>(
        'SELECT `status`, COUNT(*) AS n FROM `syncs` GROUP BY `status`',
      )
      const count = (status: string) => Number(rows.find((row) => row.status === status)?.n ?? 0)
      if (count('failed') > 0) throw new Error(`${count('failed')} syncs failed`)
      if (count('completed') >= many) return
      if (performance.now() - toldAt < 30_000) continue
      toldAt = performance.now()
      console.log(`  ${count('completed')} of ${many} syncs completed`)
    }
    throw new Error('the syncs do not end')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.opened.close()
  }
}
