import { createLog } from '../../../src/platform/logging/log.ts'
import type { LimiterFor } from '../../../src/providers/rate-limit/rate-limiter.ts'
import { latestModels } from '../../../src/domain/record-models.ts'
import type { ProviderCredentials } from '../../../src/providers/provider.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import { registry } from '../../../src/providers/registry.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import type { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { openAccount } from '../../../src/subgraphs/connections/credentials/open-account.ts'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import { pollConnection } from '../../../src/sync/poll-connection.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import type { RunningFake } from '../../fakes/kit/start-fake.ts'
import { masterBox } from '../factories.ts'
import type { Ending } from './expected-endings.ts'
import { endingOf } from './sync-ending.ts'
import type { SyncedSubject } from './subject.ts'

const DAY_MS = 86_400_000
/** The last but one of a job: what passes is tried again once. */
const FIRST_ATTEMPT = 5
const LAST_ATTEMPT = 6
/** A poll that is not followed by another waits for its turns in the budget by itself. */
const POLL_MS = 150_000

interface Where {
  readonly db: Database
  readonly subject: SyncedSubject
  readonly fake: RunningFake
  readonly now: string
}

interface Linking {
  readonly days?: number
  /** Others than the subject's. */
  readonly credentials?: ProviderCredentials
  /** Without them it asks as fast as it can. */
  readonly turnsOf?: LimiterFor
}

/** A fleet that is linked with the fake of a provider, and the real engine that syncs it. */
export class LinkedFleet {
  private constructor(
    private readonly tools: WorkerDeps,
    readonly connection: Connection,
    private readonly clock: { at: number },
  ) {}

  /** Links it, to be read for so many days back. */
  static async link(
    { db, subject, fake, now }: Where,
    { days = 2, credentials, turnsOf }: Linking = {},
  ): Promise<LinkedFleet> {
    const clock = { at: Date.parse(now) }
    const provider = subject.adapter(fake.url, { now: () => clock.at }, turnsOf)
    const tools: WorkerDeps = {
      db: db.inBackground(),
      queue: inProcessQueue({ onError: () => undefined }),
      notifier: createInProcessNotifier(),
      registry: registry([provider]),
      secrets: masterBox,
      clock: { now: () => clock.at },
      log: createLog('silent'),
      eventRetentionDays: 30,
      longestPollMs: POLL_MS,
    }
    const { application } = await createApplication(db, {
      name: 'Test',
      environment: 'sandbox',
      now: clock.at,
    })
    const { connection } = await createConnection(
      { db, secrets: masterBox, now: clock.at },
      {
        applicationId: application.id,
        provider,
        credentials: credentials ?? subject.credentials(fake.url),
        backfillFrom: clock.at - days * DAY_MS,
      },
    )
    return new LinkedFleet(tools, connection, clock)
  }

  get now(): number {
    return this.clock.at
  }

  moveClock(milliseconds: number): void {
    this.clock.at += milliseconds
  }

  /** Requests a sync, perhaps since a time, and runs it as a worker would, to its end. */
  async sync({ startFrom = null }: { startFrom?: number | null } = {}): Promise<Ending> {
    const { db, registry: providers } = this.tools
    const providerName = providers.find(this.connection.provider)?.manifest.name ?? ''
    const input = { connectionId: this.connection.id, providerName, startFrom }
    const { id } = await requestSync(db, input, this.now)
    const { signal } = new AbortController()
    for (let attempt = FIRST_ATTEMPT; attempt <= LAST_ATTEMPT; attempt++)
      try {
        await syncConnection(this.tools, id, { id: `job-${attempt}`, attempt, signal })
        break
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ProviderError') throw error
      }
    return endingOf(db, this.connection.id, id)
  }

  /** The API of its provider, as whoever asks in the background opens it. */
  open(): Promise<ProviderApi> {
    return openAccount(this.tools, this.connection, new AbortController().signal)
  }

  /** The same fleet as another process sees it, which shares nothing with this one but the database. */
  inAnotherProcess(): LinkedFleet {
    const own = { db: { ...this.tools.db }, queue: inProcessQueue({ onError: () => undefined }) }
    return new LinkedFleet({ ...this.tools, ...own }, this.connection, this.clock)
  }

  /** Reads what is only of now, as far as the provider has it. */
  async poll(): Promise<void> {
    const { signal } = new AbortController()
    for (const model of latestModels)
      await pollConnection(this.tools, this.connection.id, model, { id: 'poll', attempt: 1, signal })
  }

  /** How many records of a table are this fleet's and there, of those that began since then if a column says when. */
  async count(
    table: string,
    since?: { readonly column: string; readonly from: number | string },
  ): Promise<number> {
    const isThere = isSeries(table) ? '' : ' AND `deletedAt` IS NULL'
    const hasBegun = since ? ` AND \`${since.column}\` >= ?` : ''
    const [row] = await this.tools.db.rows<{ n: number }>(
      `SELECT COUNT(*) AS n FROM \`${table}\` WHERE \`connectionId\` = ?${isThere}${hasBegun}`,
      [this.connection.id, ...(since ? [since.from] : [])],
    )
    return Number(row?.n)
  }

  /** The provider's ids of what is stored and there, in order. */
  async stored(table: string): Promise<string[]> {
    const rows = await this.tools.db.rows<{ sourceId: string }>(
      `SELECT \`sourceId\` FROM \`${table}\` WHERE \`connectionId\` = ? AND \`deletedAt\` IS NULL`,
      [this.connection.id],
    )
    return rows.map(({ sourceId }) => sourceId).toSorted()
  }

  close(): Promise<void> {
    return this.tools.queue.close()
  }
}

const isSeries = (table: string) => table === 'vehicle_locations' || table === 'vehicle_stat_logs'
