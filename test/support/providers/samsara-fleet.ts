import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import type { Id } from '../../../src/domain/ids.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createMemoryStore } from '../../../src/providers/rate-limit/memory-store.ts'
import { createRateLimiter } from '../../../src/providers/rate-limit/rate-limiter.ts'
import { registry } from '../../../src/providers/registry.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { type Home, makeHome, type Store } from '../../prove/support/service-process.ts'
import { newRenewals } from '../factories.ts'

const secrets = createEncryption(Buffer.alloc(32, 7))

/** A fleet on the fake, linked with its token, and the records that its syncs stored. */
export class SyncedFleet {
  private constructor(
    readonly fake: RunningFake,
    private readonly home: Home,
    private readonly tools: WorkerDeps,
    private readonly clock: { now: number },
    private readonly connectionId: Id<'connection'>,
  ) {}

  static async start(store: Store, now: number, backfillFrom: number): Promise<SyncedFleet> {
    const clock = { now }
    const world = { restlessness: 0 }
    const fake = await startFake('samsara', {
      vehicles: 10,
      days: 12,
      now: new Date(now).toISOString(),
      world,
    })
    const home = await makeHome(store)
    const tools = await toolsOn(home, fake, clock)
    const { application } = await createApplication(tools.db, { name: 'Test', environment: 'sandbox', now })
    const { connection } = await createConnection(
      { db: tools.db, secrets, now },
      {
        applicationId: application.id,
        provider: tools.registry.all[0]!,
        credentials: { token: 'fake-token-1' },
        backfillFrom,
      },
    )
    return new SyncedFleet(fake, home, tools, clock, connection.id)
  }

  async moveTo(now: number): Promise<void> {
    this.clock.now = now
    await this.fake.move({ now: new Date(now).toISOString() })
  }

  /** Runs a sync as a worker does. Returns its ending. */
  async sync() {
    const { db } = this.tools
    const requested = { connectionId: this.connectionId, providerName: 'Samsara' }
    const { id } = await requestSync(db, requested, this.clock.now)
    await syncConnection(this.tools, id, { id: 'sync', attempt: 1, signal: new AbortController().signal })
    const [row] = await db.rows('SELECT `status`, `failureReason` FROM `syncs` WHERE `id` = ?', [id])
    return row
  }

  /** Returns the source ids of the stored records. */
  async stored(table: string): Promise<string[]> {
    const rows = await this.tools.db.rows<{ sourceId: string }>(
      `SELECT \`sourceId\` FROM \`${table}\` WHERE \`connectionId\` = ? AND \`deletedAt\` IS NULL`,
      [this.connectionId],
    )
    return rows.map(({ sourceId }) => sourceId)
  }

  /** Returns the number of rejected requests by rate limit of Samsara. */
  async refused(): Promise<Readonly<Record<string, number>>> {
    const answer = await fetch(`${this.fake.url}/_fake/budgets`)
    const report = (await answer.json()) as Record<string, { refused: number }>
    return Object.fromEntries(Object.entries(report).map(([name, { refused }]) => [name, refused]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tools.queue.close()
    await this.tools.db.close()
    await this.home.remove()
    await this.fake[Symbol.asyncDispose]()
  }
}

async function toolsOn(home: Home, { url }: RunningFake, clock: { now: number }): Promise<WorkerDeps> {
  const db = await home.open()
  await db.migrate()
  const limiterStore = createMemoryStore()
  const its = { now: () => clock.now }
  const adapter = samsaraAdapter((asking) => createRateLimiter(limiterStore, asking), {
    regions: { us: url, eu: url, ca: url },
    clock: its,
  })
  return {
    db,
    queue: inProcessQueue({ onError: () => undefined }),
    notifier: createInProcessNotifier(),
    renewals: newRenewals(),
    registry: registry([adapter]),
    secrets,
    clock: its,
    log: createLog('silent'),
    eventRetentionDays: 30,
    removalHold: { percent: 20, minutes: 60 },
    requestLogDays: 3,
    purchaseRetentionDays: 2557,
  }
}
