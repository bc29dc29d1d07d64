import { createLog } from '../../src/log.ts'
import type { ProviderCredentials } from '../../src/providers/provider.ts'
import { registry } from '../../src/providers/registry.ts'
import { inProcessDoorbell } from '../../src/queue/doorbell.ts'
import { inProcessQueue } from '../../src/queue/in-process.ts'
import type { Database } from '../../src/storage/database.ts'
import { createApplication } from '../../src/subgraphs/connections/applications/create-application.ts'
import type { Connection } from '../../src/subgraphs/connections/connection.ts'
import { createConnection } from '../../src/subgraphs/connections/life/create-connection.ts'
import { requestSync } from '../../src/subgraphs/connections/syncs/request-sync.ts'
import { pollLatest } from '../../src/sync/poll-latest.ts'
import type { SyncTools } from '../../src/sync/run.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import type { RunningFake } from '../fakes/kit/start-fake.ts'
import { masterBox } from '../factories.ts'
import type { Ending, Subject } from './endings.ts'

const DAY_MS = 86_400_000
/** The last but one of a job: what passes is tried again once. */
const FIRST_ATTEMPT = 5
const LAST_ATTEMPT = 6

interface Where {
  readonly db: Database
  readonly subject: Subject
  readonly fake: RunningFake
  readonly now: string
}

/** A fleet that is linked with the fake of a provider, and the real engine that syncs it. */
export class LinkedFleet {
  private constructor(
    private readonly tools: SyncTools,
    readonly connection: Connection,
    private readonly clock: { at: number },
  ) {}

  /** Links it, to be read for so many days back. */
  static async link(
    { db, subject, fake, now }: Where,
    { days = 2, credentials }: { days?: number; credentials?: ProviderCredentials } = {},
  ): Promise<LinkedFleet> {
    const clock = { at: Date.parse(now) }
    const provider = subject.adapter(fake.url, { now: () => clock.at })
    const tools: SyncTools = {
      db,
      queue: inProcessQueue({ onError: () => undefined }),
      doorbell: inProcessDoorbell(),
      registry: registry([provider]),
      secrets: masterBox,
      clock: { now: () => clock.at },
      log: createLog('silent'),
      eventRetentionDays: 30,
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

  /** Requests a sync and runs it as a worker would, to its end. */
  async sync(): Promise<Ending> {
    const { db, registry: providers } = this.tools
    const providerName = providers.find(this.connection.provider)?.manifest.name ?? ''
    const { id } = await requestSync(db, { connectionId: this.connection.id, providerName }, this.now)
    const { signal } = new AbortController()
    for (let attempt = FIRST_ATTEMPT; attempt <= LAST_ATTEMPT; attempt++)
      try {
        await syncConnection(this.tools, id, { id: `job-${attempt}`, attempt, signal })
        break
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ProviderError') throw error
      }
    return this.ending(id)
  }

  poll(): Promise<void> {
    const { signal } = new AbortController()
    return pollLatest(this.tools, this.connection.id, 'LatestVehicleLocation', {
      id: 'poll',
      attempt: 1,
      signal,
    })
  }

  /** How many records of a table are this fleet's and there. */
  async count(table: string): Promise<number> {
    const isThere = table === 'vehicle_locations' ? '' : ' AND `deletedAt` IS NULL'
    const [row] = await this.tools.db.rows<{ n: number }>(
      `SELECT COUNT(*) AS n FROM \`${table}\` WHERE \`connectionId\` = ?${isThere}`,
      [this.connection.id],
    )
    return Number(row?.n)
  }

  private async ending(syncId: string): Promise<Ending> {
    const { db } = this.tools
    const { id } = this.connection
    const [[sync], [connection], issues] = await Promise.all([
      db.rows<{ status: 'completed' | 'failed'; failureReason: string | null }>(
        'SELECT `status`, `failureReason` FROM `syncs` WHERE `id` = ?',
        [syncId],
      ),
      db.rows<{ status: 'connected' | 'disconnected' }>('SELECT `status` FROM `connections` WHERE `id` = ?', [
        id,
      ]),
      db.rows<{ message: string }>(
        "SELECT `message` FROM `issues` WHERE `connectionId` = ? AND `status` = 'ongoing' ORDER BY `message`",
        [id],
      ),
    ])
    if (!sync || !connection) throw new Error('there is no sync')
    return {
      sync: sync.status,
      failureReason: sync.failureReason,
      connection: connection.status,
      issues: issues.map(({ message }) => message),
    }
  }

  close(): Promise<void> {
    return this.tools.queue.close()
  }
}
