import { createHash, randomBytes } from 'node:crypto'
import { keyHolder } from '../../../src/auth/caller.ts'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { createContextFactory } from '../../../src/gateway/context.ts'
import type { Id } from '../../../src/domain/ids.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import type { Options } from '../../../src/providers/sandbox/simulator/options.ts'
import { type Simulator, startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import type { CredentialsOwner } from '../../../src/subgraphs/on-demand/provider-calls.ts'
import {
  sealedCredentials,
  storedCredentials,
} from '../../../src/subgraphs/connections/credentials/stored-credentials.ts'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { type Home, makeHome, type Store } from '../../prove/support/service-process.ts'
import { newRenewals } from '../factories.ts'

export const REDIRECT_URI = 'http://127.0.0.1:9/oauth/back'
/** Daytime in the fleet's zone: its vehicles drive. */
export const DAYTIME = Date.UTC(2026, 0, 28, 18)
export const MINUTE_MS = 60_000
/** Short, because most tests lose credentials that no worker holds. */
const SECOND_LOOK_MS = 300
const keys = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
const secrets = createEncryption(() => keys)
const newest = createEncryption(Buffer.alloc(32, 8))

interface Linked extends CredentialsOwner {
  readonly id: Id<'connection'>
  readonly applicationId: Id<'application'>
}

type Adapt = (adapter: ProviderAdapter) => ProviderAdapter

export const unstopped = () => new AbortController().signal

/**
 * Two processes on one database, each with dependencies of its own, and a provider that shares their clock.
 */
export class OAuthHarness {
  private constructor(
    private readonly home: Home,
    private readonly simulator: Simulator,
    readonly processes: readonly [WorkerDeps, WorkerDeps],
    /** Wraps the sandbox adapter of each process. */
    readonly adapt: [Adapt, Adapt],
    private readonly clock: { now: number },
  ) {}

  static async start(store: Store, options: Partial<Options> = {}): Promise<OAuthHarness> {
    const home = await makeHome(store)
    const simulator = await startSimulator({ controls: true, ratePerSecond: 100_000, ...options })
    const clock = { now: DAYTIME }
    const adapt: [Adapt, Adapt] = [(adapter) => adapter, (adapter) => adapter]
    const toolsOf = async (process: 0 | 1) =>
      toolsOver(await home.open(), simulator, clock, () => adapt[process])
    const processes = [await toolsOf(0), await toolsOf(1)] as const
    await processes[0].db.migrate()
    const harness = new OAuthHarness(home, simulator, [...processes], adapt, clock)
    await harness.moveClock(0)
    return harness
  }

  get db(): Database {
    return this.processes[0].db
  }

  get adapter(): ProviderAdapter {
    return this.processes[0].registry.find('sandbox') as ProviderAdapter
  }

  adaptNothing(): void {
    this.adapt[0] = this.adapt[1] = (adapter) => adapter
  }

  async moveClock(ms: number): Promise<void> {
    this.clock.now += ms
    await this.control('clock', { offsetMs: this.clock.now - Date.now(), stands: true })
  }

  async control(path: 'clock' | 'faults' | 'sign-ins', body: object): Promise<void> {
    const url = `http://127.0.0.1:${this.simulator.port}/control/${path}`
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
  }

  /** Returns the number of requests of an account for a path. */
  async requests(key: string, path = '/oauth/token'): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.simulator.port}/control/requests`)
    const byKey = (await answer.json()) as Record<string, Record<string, number>>
    return byKey[key]?.[path] ?? 0
  }

  /** Signs in by OAuth as a fleet does. */
  async signIn(user: string): Promise<ProviderCredentials> {
    const verifier = randomBytes(32).toString('base64url')
    const code = await codeOf(this.adapter, user, verifier)
    const given = { code, verifier, redirectUri: REDIRECT_URI }
    return (await this.adapter.oauth?.exchange(given, unstopped())) as ProviderCredentials
  }

  async link(credentials: ProviderCredentials): Promise<Linked> {
    const now = this.clock.now
    const named = { name: 'Test', environment: 'sandbox', now } as const
    const { application } = await createApplication(this.db, named)
    const { connection } = await createConnection(
      { db: this.db, secrets, now },
      {
        applicationId: application.id,
        provider: this.adapter,
        credentials,
        backfillFrom: now - 60 * MINUTE_MS,
      },
    )
    return connection
  }

  async linkByOAuth(user: string) {
    return this.link(await this.signIn(user))
  }

  async stored(account: CredentialsOwner): Promise<ProviderCredentials> {
    return (await storedCredentials(this.db, secrets, account))?.credentials as ProviderCredentials
  }

  /** Replaces the stored credentials, as a fleet does that signs in again. */
  async store(account: CredentialsOwner, credentials: ProviderCredentials): Promise<void> {
    const sealed = sealedCredentials(secrets, account, credentials)
    await this.db.transaction((tx) =>
      tx.run('UPDATE `connections` SET `credentialsSealed` = ?, `refreshingUntil` = NULL WHERE `id` = ?', [
        sealed,
        account.id,
      ]),
    )
  }

  /** Ends the renewal lease of a connection, as time does. */
  async endLease({ id }: CredentialsOwner): Promise<void> {
    const sql = 'UPDATE `connections` SET `refreshingUntil` = 1 WHERE `id` = ? AND `refreshingUntil` > 1'
    await this.db.transaction((tx) => tx.run(sql, [id]))
  }

  /** Encrypts the stored credentials with the newest key, as a key rotation does. */
  async sealAgain(account: CredentialsOwner): Promise<void> {
    const sealed = sealedCredentials(newest, account, await this.stored(account))
    await this.db.transaction((tx) =>
      tx.run('UPDATE `connections` SET `credentialsSealed` = ? WHERE `id` = ?', [sealed, account.id]),
    )
  }

  /** Requests a sync and runs its attempts to the end as a worker does. */
  async sync(connectionId: Id<'connection'>, tools = this.processes[0]) {
    const { id } = await requestSync(this.db, { connectionId, providerName: 'Sandbox' }, this.clock.now)
    for (let attempt = 1, done = false; !done; attempt++) {
      try {
        await syncConnection(tools, id, { id: 'sync', attempt, signal: unstopped() })
        done = true
      } catch (error) {
        if (attempt === 6) throw error
      }
    }
    const [row] = await this.db.rows<{ status: string; failureReason: string | null }>(
      'SELECT `status`, `failureReason` FROM `syncs` WHERE `id` = ?',
      [id],
    )
    return row
  }

  /** Sends a passthrough request as a caller does. */
  passThrough({ id, applicationId }: Linked, path: string) {
    const contextFor = createContextFactory({
      ...this.processes[0],
      cursorKey: secrets.derive('cursors'),
      linkUrl: () => 'https://link.example.com',
      publicUrl: () => 'https://api.example.com',
      mediaUrl: () => 'https://media.example.com',
      pollOnDemand: () => Promise.resolve(),
    })
    return contextFor({ caller: keyHolder(applicationId, id), credentials: {} }).writes.passThrough({
      method: 'GET',
      path,
    })
  }

  async count(table: string, { id }: CredentialsOwner): Promise<number> {
    const sql = `SELECT COUNT(*) AS n FROM \`${table}\` WHERE \`connectionId\` = ?`
    const [row] = await this.db.rows<{ n: number }>(sql, [id])
    return Number(row?.n)
  }

  async statusOf({ id }: CredentialsOwner): Promise<string | undefined> {
    const [row] = await this.db.rows<{ status: string }>(
      'SELECT `status` FROM `connections` WHERE `id` = ?',
      [id],
    )
    return row?.status
  }

  /** Returns the number of events that a connection was disconnected. */
  async disconnections({ id }: CredentialsOwner): Promise<number> {
    const rows = await this.db.rows(
      "SELECT 1 FROM `events` WHERE `connectionId` = ? AND `type` = 'connection.disconnected'",
      [id],
    )
    return rows.length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { db, queue } of this.processes) {
      await queue.close()
      await db.close()
    }
    await this.simulator.close()
    await this.home.remove()
  }
}

function toolsOver(
  db: Database,
  simulator: Simulator,
  clock: { now: number },
  adapt: () => Adapt,
): WorkerDeps {
  const its = { now: () => clock.now }
  const adapter = sandboxAdapter(`http://127.0.0.1:${simulator.port}`, undefined, { clock: its })
  return {
    db,
    queue: inProcessQueue({ onError: () => undefined }),
    notifier: createInProcessNotifier(),
    renewals: newRenewals({ secondLookMs: SECOND_LOOK_MS }),
    registry: { ...registry([adapter]), find: () => adapt()(adapter) },
    secrets,
    clock: its,
    log: createLog('silent'),
    eventRetentionDays: 30,
    removalHold: { percent: 20, minutes: 60 },
    requestLogDays: 3,
    purchaseRetentionDays: 2557,
  }
}

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** Returns the parameters of the redirect after a user presses a button on the provider's page. */
export async function cameBack(
  { oauth }: ProviderAdapter,
  user: string,
  verifier: string,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URLSearchParams> {
  const requested = { state: 'the state', challenge: challengeOf(verifier), redirectUri: REDIRECT_URI }
  const url = new URL(oauth?.authorizeUrl(requested) ?? '')
  const body = new URLSearchParams([...url.searchParams, ['user', user], ['decision', decision]])
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '').searchParams
}

export const codeOf = async (adapter: ProviderAdapter, user: string, verifier: string): Promise<string> =>
  (await cameBack(adapter, user, verifier)).get('code') ?? ''

/** Returns an adapter with another credential renewal. */
export const renewing =
  (
    renew: (
      usual: NonNullable<ProviderAdapter['renewal']>['renew'],
    ) => NonNullable<ProviderAdapter['renewal']>['renew'],
  ): Adapt =>
  (adapter) => {
    const { renewal } = adapter
    if (!renewal) throw new Error('nothing to renew')
    return { ...adapter, renewal: { ...renewal, renew: renew(renewal.renew) } }
  }
