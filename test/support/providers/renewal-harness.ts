import { newId } from '../../../src/domain/ids.ts'
import { oauth } from '../../../src/providers/oauth.ts'
import type { ProviderAdapter, ProviderCredentials, Renewal } from '../../../src/providers/provider.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { databaseUnavailable } from '../../../src/storage/timeouts.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { renewableCredentials } from '../../../src/subgraphs/connections/credentials/open-account.ts'
import type { RenewalDeps } from '../../../src/subgraphs/connections/credentials/renewal-lease.ts'
import {
  renewalTiming,
  type RenewalTiming,
} from '../../../src/subgraphs/connections/credentials/renewal-timing.ts'
import { Renewals } from '../../../src/subgraphs/connections/credentials/renewals.ts'
import {
  sealedCredentials,
  storedCredentials,
} from '../../../src/subgraphs/connections/credentials/stored-credentials.ts'
import { migratedDatabase, type MigratedDatabase } from '../database/migrated-databases.ts'
import { connectionRow, masterEncryption } from '../factories.ts'
import { TokenEndpoint } from './token-endpoint.ts'

/** A connection, with the credentials that a worker has read before its renewal. */
export interface RenewedFleet {
  readonly id: string
  readonly applicationId: string
  readonly provider: string
  readonly name: string
  readonly used: ProviderCredentials
}

interface WorkerOptions {
  /** How far the clock of the host is ahead. */
  readonly aheadMs?: number
  readonly timing?: Partial<RenewalTiming>
}

let fleets = 0

/** Workers of several processes on one database, and a token endpoint that rotates strictly. */
export class RenewalHarness {
  private readonly workers: RenewalWorker[] = []

  private constructor(
    private readonly migrated: MigratedDatabase,
    readonly db: Database,
    readonly endpoint: TokenEndpoint,
  ) {}

  static async start(dialect: Dialect): Promise<RenewalHarness> {
    const migrated = await migratedDatabase(dialect)
    return new RenewalHarness(migrated, await migrated.open(), await TokenEndpoint.start())
  }

  /** Starts the worker of a process with a database pool of its own. */
  async worker({ aheadMs = 0, timing = {} }: WorkerOptions = {}): Promise<RenewalWorker> {
    const worker = new RenewalWorker(await this.migrated.open(), this.endpoint, aheadMs, timing)
    this.workers.push(worker)
    return worker
  }

  async connect(): Promise<RenewedFleet> {
    const name = `fleet-${++fleets}`
    const [id, applicationId] = [newId('connection'), newId('application')]
    const used = this.endpoint.grant(name)
    const row = connectionRow(applicationId, name, {
      id,
      credentialsSealed: sealedCredentials(masterEncryption, { id, applicationId }, used),
    })
    await this.db.transaction((tx) => tx.insert(tableOf(Connection), [row]))
    return { id, applicationId, provider: 'sandbox', name, used }
  }

  /** Replaces the stored credentials. The lease stays, so that no rule can rely on its end. */
  async store(fleet: RenewedFleet, credentials: ProviderCredentials): Promise<void> {
    const sealed = sealedCredentials(masterEncryption, fleet, credentials)
    const sql = 'UPDATE `connections` SET `credentialsSealed` = ? WHERE `id` = ?'
    await this.db.transaction((tx) => tx.run(sql, [sealed, fleet.id]))
  }

  async deleteCredentials({ id }: RenewedFleet): Promise<void> {
    const sql = "UPDATE `connections` SET `credentialsSealed` = '' WHERE `id` = ?"
    await this.db.transaction((tx) => tx.run(sql, [id]))
  }

  async setLeaseEnd({ id }: RenewedFleet, until: number): Promise<void> {
    const sql = 'UPDATE `connections` SET `refreshingUntil` = ? WHERE `id` = ?'
    await this.db.transaction((tx) => tx.run(sql, [until, id]))
  }

  async stored(fleet: RenewedFleet): Promise<string | undefined> {
    return (await storedCredentials(this.db, masterEncryption, fleet))?.credentials?.['refreshToken']
  }

  async statusOf({ id }: RenewedFleet): Promise<string | undefined> {
    const sql = 'SELECT `status` FROM `connections` WHERE `id` = ?'
    return (await this.db.rows<{ status: string }>(sql, [id]))[0]?.status
  }

  /** Returns the number of events that a connection was disconnected. */
  async disconnections({ id }: RenewedFleet): Promise<number> {
    const sql = "SELECT 1 FROM `events` WHERE `connectionId` = ? AND `type` = 'connection.disconnected'"
    return (await this.db.rows(sql, [id])).length
  }

  /** Everything that a test checks after all workers are done. */
  async state(fleet: RenewedFleet) {
    const [status, stored] = [await this.statusOf(fleet), await this.stored(fleet)]
    return { status, isStoredAccepted: stored === this.endpoint.accepted(fleet.name) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.workers) await worker.close()
    await this.endpoint[Symbol.asyncDispose]()
    await this.db.close()
    await this.migrated.remove()
  }
}

export interface LogLine {
  readonly level: 'warn' | 'error'
  readonly fields: object
  readonly message: string
}

/** Worker of one process. A test can stall or break its transactions. */
export class RenewalWorker {
  readonly lines: LogLine[] = []
  readonly renewals: Renewals
  /** Called before each transaction. */
  beforeTransaction: () => Promise<void> = () => Promise.resolve()
  /** Called before each request of the token endpoint. */
  beforeRequest: () => Promise<void> = () => Promise.resolve()
  /** Called before each read. */
  beforeRead: () => void = () => undefined
  private readonly deps: RenewalDeps

  constructor(
    private readonly db: Database,
    endpoint: TokenEndpoint,
    aheadMs: number,
    timing: Partial<RenewalTiming>,
  ) {
    const clock = { now: () => Date.now() + aheadMs }
    const server = {
      provider: 'sandbox',
      authorizeUrl: '',
      tokenUrl: endpoint.url,
      clientId: 'Odograph',
      clock,
    }
    const client = oauth(server)
    const renewal: Renewal = {
      ...client,
      renew: async (...given) => {
        await this.beforeRequest()
        return client.renew(...given)
      },
    }
    const adapter = { manifest: { name: 'Sandbox' }, renewal } as unknown as ProviderAdapter
    const log = (level: LogLine['level']) => (fields: object, message: string) =>
      void this.lines.push({ level, fields, message })
    this.renewals = new Renewals(
      { warn: log('warn'), error: log('error') },
      {
        ...renewalTiming(4000),
        ...timing,
      },
    )
    this.deps = {
      db: {
        ...db,
        rows: (...query) => {
          this.beforeRead()
          return db.rows(...query)
        },
        transaction: async (...work) => {
          await this.beforeTransaction()
          return db.transaction(...work)
        },
      },
      secrets: masterEncryption,
      registry: { all: [], find: () => adapter },
      notifier: createInProcessNotifier(),
      clock,
      renewals: this.renewals,
    }
  }

  /** Renews credentials that the provider refuses. Returns those that the caller then uses. */
  renew(
    fleet: RenewedFleet,
    refused: ProviderCredentials = fleet.used,
    signal = new AbortController().signal,
  ): Promise<ProviderCredentials | null> {
    return renewableCredentials(this.deps, fleet, signal).replacementFor(refused)
  }

  /** Lets the database fail from the next rotation until the returned function is called. */
  loseDatabase(endpoint: TokenEndpoint): () => void {
    endpoint.onRotated = () => {
      this.beforeTransaction = () => Promise.reject(databaseUnavailable(new Error('the server is gone')))
      return Promise.resolve('arrives')
    }
    return () => (this.beforeTransaction = () => Promise.resolve())
  }

  /** Returns the log messages about a connection. */
  messages({ id }: RenewedFleet): string[] {
    return this.lines
      .filter(({ fields }) => (fields as { connectionId?: string }).connectionId === id)
      .map(({ level, message }) => `${level}: ${message}`)
  }

  async close(): Promise<void> {
    await this.renewals.close()
    await this.db.close()
  }
}
