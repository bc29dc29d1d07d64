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
import { masterEncryption, newRenewals } from '../factories.ts'
import type { Ending } from './expected-endings.ts'
import { endingOf } from './sync-ending.ts'
import type { SyncedSubject } from './subjects/subject.ts'

const DAY_MS = 86_400_000
const LAST_ATTEMPT = 6
/** Limit of the duration of a poll. It is long, because no later poll continues one that waits for the rate limiter. */
const MAX_POLL_MS = 150_000
/** Short, because no other process holds credentials. */
const SECOND_LOOK_MS = 300

interface Where {
  readonly db: Database
  readonly subject: Pick<SyncedSubject, 'adapter' | 'credentials'>
  readonly fake: Pick<RunningFake, 'url'>
  readonly now: string
}

interface Linking {
  readonly days?: number
  /** Credentials that replace those of the subject. */
  readonly credentials?: ProviderCredentials
  /** Without a limiter the sync does not wait. */
  readonly limiterFor?: LimiterFor
}

/** A fleet linked to the fake of a provider, with the real sync engine. */
export class LinkedFleet {
  private constructor(
    private readonly tools: WorkerDeps,
    readonly connection: Connection,
    private readonly clock: { at: number },
  ) {}

  /** Links the fleet with a lookback of this many days. */
  static async link(
    { db, subject, fake, now }: Where,
    { days = 2, credentials, limiterFor }: Linking = {},
  ): Promise<LinkedFleet> {
    const clock = { at: Date.parse(now) }
    const provider = subject.adapter(fake.url, { now: () => clock.at }, limiterFor)
    const tools: WorkerDeps = {
      db: db.inBackground(),
      queue: inProcessQueue({ onError: () => undefined }),
      notifier: createInProcessNotifier(),
      renewals: newRenewals({ secondLookMs: SECOND_LOOK_MS }),
      registry: registry([provider]),
      secrets: masterEncryption,
      clock: { now: () => clock.at },
      log: createLog('silent'),
      eventRetentionDays: 30,
      removalHold: { percent: 20, minutes: 60 },
      requestLogDays: 3,
      purchaseRetentionDays: 2557,
      maxPollMs: MAX_POLL_MS,
    }
    const { application } = await createApplication(db, {
      name: 'Test',
      environment: 'sandbox',
      now: clock.at,
    })
    const { connection } = await createConnection(
      { db, secrets: masterEncryption, now: clock.at },
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

  /** Requests a sync, optionally from a time. Runs the last attempts that its job has, as a worker does. */
  async sync({
    startFrom = null,
    attempts = 2,
  }: { startFrom?: number | null; attempts?: number } = {}): Promise<Ending> {
    const { db, registry: providers } = this.tools
    const providerName = providers.find(this.connection.provider)?.manifest.name ?? ''
    const input = { connectionId: this.connection.id, providerName, startFrom }
    const { id } = await requestSync(db, input, this.now)
    const { signal } = new AbortController()
    for (let attempt = LAST_ATTEMPT + 1 - attempts; attempt <= LAST_ATTEMPT; attempt++)
      try {
        await syncConnection(this.tools, id, { id: `job-${attempt}`, attempt, signal })
        break
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ProviderError') throw error
      }
    return endingOf(db, this.connection.id, id)
  }

  /** Opens the provider API as a background job does. */
  open(): Promise<ProviderApi> {
    return openAccount(this.tools, this.connection, new AbortController().signal)
  }

  /** Returns the same fleet as another process sees it: the two share only the database. */
  inAnotherProcess(): LinkedFleet {
    const own = { renewals: newRenewals(), queue: inProcessQueue({ onError: () => undefined }) }
    return new LinkedFleet({ ...this.tools, ...own }, this.connection, this.clock)
  }

  /** Ends the renewal lease of the connection, as time does. */
  async endLease(): Promise<void> {
    const sql = 'UPDATE `connections` SET `refreshingUntil` = 1 WHERE `id` = ? AND `refreshingUntil` > 1'
    await this.tools.db.transaction((tx) => tx.run(sql, [this.connection.id]))
  }

  /** Polls current data, as far as the provider has it. */
  async poll(): Promise<void> {
    const { signal } = new AbortController()
    for (const model of latestModels)
      await pollConnection(this.tools, this.connection.id, model, { id: 'poll', attempt: 1, signal })
  }

  /**
   * Counts the fleet's records of a table that are not deleted; optionally those that started since a time.
   */
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

  /** Returns the source ids of stored records that are not deleted, sorted. */
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
