import type { AddressInfo } from 'node:net'
import { keyHolder } from '../../../src/auth/caller.ts'
import { newConnectionToken } from '../../../src/auth/keys.ts'
import { createApp } from '../../../src/http/app.ts'
import { mountProviderWebhooks } from '../../../src/http/provider-webhooks.ts'
import type { Id } from '../../../src/domain/ids.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { notifications as motiveHints } from '../../../src/providers/motive/webhook-notifications.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { setProviderWebhook } from '../../../src/subgraphs/connections/provider-webhooks/set-provider-webhook.ts'
import { receiveNotification } from '../../../src/subgraphs/connections/provider-webhooks/receive-notification.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { enqueueDue } from '../../../src/sync/schedule/enqueue-due.ts'
import { connectionRow, masterEncryption, temporaryDatabase, newRenewals } from '../factories.ts'

export const NOW = '2026-06-15T18:00:00.000Z'

export interface Linked {
  readonly id: Id<'connection'>
  readonly applicationId: Id<'application'>
}

const nowhere = 'http://127.0.0.1:9'

/** Returns an adapter for a provider without a fake. Only its webhook parser works. */
const known = (code: string, notifications: ProviderAdapter['notifications']): ProviderAdapter => {
  const adapter = sandboxAdapter(nowhere)
  const { notifications: _, ...rest } = adapter
  return {
    ...rest,
    manifest: { ...adapter.manifest, code, name: code },
    ...(notifications ? { notifications } : {}),
  }
}

/**
 * The receiver of provider webhooks over HTTP, with a database of its own. The clock moves only when a test
 * moves it.
 */
export class ProviderWebhooksHarness implements AsyncDisposable {
  private constructor(
    readonly db: Database & AsyncDisposable,
    readonly tools: WorkerDeps,
    private readonly app: ReturnType<typeof createApp>,
    private readonly clock: { at: number },
  ) {}

  static async start(dialect: Dialect, samsaraUrl = nowhere): Promise<ProviderWebhooksHarness> {
    const db = await temporaryDatabase(dialect)
    const clock = { at: Date.parse(NOW) }
    const now = () => clock.at
    const regions = { us: samsaraUrl, eu: samsaraUrl, ca: samsaraUrl }
    const tools: WorkerDeps = {
      db,
      queue: inProcessQueue({ onError: () => undefined }),
      notifier: createInProcessNotifier(),
      renewals: newRenewals(),
      registry: registry([
        samsaraAdapter(undefined, { regions, clock: { now } }),
        traccarAdapter(),
        known('motive', motiveHints),
        known('deaf', undefined),
      ]),
      secrets: masterEncryption,
      clock: { now },
      log: createLog('silent'),
      eventRetentionDays: 30,
      removalHold: { percent: 20, minutes: 60 },
      requestLogDays: 3,
      purchaseRetentionDays: 2557,
    }
    const app = createApp({ log: createLog('silent') })
    mountProviderWebhooks(app, (...reported) => receiveNotification(tools, ...reported))
    await app.listen({ port: 0, host: '127.0.0.1' })
    return new ProviderWebhooksHarness(db, tools, app, clock)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.app.server.address() as AddressInfo).port}/provider-webhooks`
  }

  moveClock(milliseconds: number): void {
    this.clock.at += milliseconds
  }

  /** Links a connection of a new application. Without credentials the service never calls its provider. */
  async link(code: string, credentials?: ProviderCredentials): Promise<Linked> {
    const provider = this.tools.registry.find(code)
    if (!provider) throw new Error(`unknown provider ${code}`)
    const now = this.clock.at
    const { application } = await createApplication(this.db, { name: 'Test', environment: 'sandbox', now })
    const { id: applicationId } = application
    if (credentials) {
      const deps = { db: this.db, secrets: masterEncryption, now }
      const input = { applicationId, provider, credentials, backfillFrom: now - 3_600_000 }
      const { connection } = await createConnection(deps, input)
      return { id: connection.id, applicationId }
    }
    const row = connectionRow(applicationId, newConnectionToken(), { provider: code })
    await this.db.transaction((tx) => tx.insert(tableOf(Connection), [row]))
    return { id: row.id, applicationId }
  }

  /** Creates a provider webhook for a connection. Returns its URL. */
  async hook({ id: connectionId, applicationId }: Linked, secret: string | null = null): Promise<string> {
    const { token } = await setProviderWebhook(this.tools, keyHolder(applicationId), { connectionId, secret })
    return `${this.url}/${token}`
  }

  findDue(): Promise<void> {
    return enqueueDue(this.tools, { pollMs: 3_600_000, syncMs: 3_600_000 })
  }

  async row({ id }: Linked): Promise<Record<string, unknown>> {
    const [row] = await this.db.rows<Record<string, unknown>>(
      'SELECT * FROM `provider_webhooks` WHERE `connectionId` = ?',
      [id],
    )
    if (!row) throw new Error('the connection has no webhook')
    return row
  }

  /** Returns the states of a connection's requested syncs. */
  async syncs({ id }: Linked): Promise<string[]> {
    const rows = await this.db.rows<{ status: string }>(
      'SELECT `status` FROM `syncs` WHERE `connectionId` = ? ORDER BY `id`',
      [id],
    )
    return rows.map(({ status }) => status)
  }

  complete(): Promise<unknown> {
    return this.db.transaction((tx) => tx.run("UPDATE `syncs` SET `status` = 'completed', `completedAt` = 1"))
  }

  set({ id }: Linked, column: string, value: string): Promise<unknown> {
    return this.db.transaction((tx) =>
      tx.run(`UPDATE \`connections\` SET \`${column}\` = ? WHERE \`id\` = ?`, [value, id]),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close()
    await this.tools.queue.close()
    await this.db[Symbol.asyncDispose]()
  }
}

export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await fetch(url, { method: 'POST', body, headers })
  await response.text()
  return response.status
}
