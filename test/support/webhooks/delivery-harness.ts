import { setTimeout as wait } from 'node:timers/promises'
import { PATIENCE_MS } from '../database/migrated-databases.ts'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { type Id, newId } from '../../../src/domain/ids.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createOutboundHttp } from '../../../src/platform/outbound-http/outbound-http.ts'
import { registry } from '../../../src/providers/registry.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { appendEvents, OUTBOX_TOPIC } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import type { ConnectionCommandDeps } from '../../../src/subgraphs/connections/command-deps.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import type { WebhookCommandDeps } from '../../../src/subgraphs/events/webhooks/command-deps.ts'
import { WebhookDelivery } from '../../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { WebhookProgress } from '../../../src/subgraphs/events/webhooks/webhook-progress.ts'
import { WebhookSecret } from '../../../src/subgraphs/events/webhooks/webhook-secret.ts'
import { WEBHOOKS_TOPIC } from '../../../src/subgraphs/events/webhooks/topics.ts'
import {
  type DeliveryWorker,
  type DeliveryWorkerDeps,
  startDeliveryWorker,
} from '../../../src/webhooks/worker/delivery-worker.ts'
import { type EventSequencer, startEventSequencer } from '../../../src/webhooks/event-sequencer.ts'
import { connectionRow, newRenewals } from '../factories.ts'
import { type Home, makeHome, type Store } from '../../prove/support/service-process.ts'
import { encryptionContext } from '../../../src/subgraphs/tables/encrypted-columns.ts'

/** Signing secret of the harness's endpoints. It protects nothing. */
export const SECRET = `whsec_${Buffer.from('not a real secret, only a test').toString('base64')}`

/** The delivery worker with a database, an event sequencer, and a clock that can be moved. */
export class DeliveryHarness implements AsyncDisposable {
  private aheadMs = 0
  readonly workers: DeliveryWorker[] = []
  readonly tools: DeliveryWorkerDeps
  private readonly sequencer: EventSequencer

  private constructor(
    readonly home: Home,
    readonly db: Database,
    readonly applicationId: Id<'application'>,
    readonly connectionId: Id<'connection'>,
  ) {
    const log = createLog('silent')
    const notifier = createInProcessNotifier()
    this.tools = {
      db: db.inBackground(),
      notifier,
      outboundHttp: createOutboundHttp({
        allowPrivate: ['127.0.0.1'],
        requireHttps: false,
        permittedBy: 'WEBHOOK_ALLOW',
      }),
      secrets: createEncryption(Buffer.alloc(32, 7)),
      clock: { now: () => Date.now() + this.aheadMs },
      log,
      linkUrl: () => 'http://localhost/link',
      drainMs: 2000,
    }
    this.sequencer = startEventSequencer(db, notifier, log)
  }

  static async start(store: Store): Promise<DeliveryHarness> {
    const home = await makeHome(store)
    const mysqlUrl = home.environment['MYSQL_URL']
    const db = mysqlUrl
      ? await openDatabase({ mysqlUrl, sqlitePath: '', timeoutMs: PATIENCE_MS })
      : await home.open()
    await db.migrate()
    const { application } = await createApplication(db, {
      name: 'Test',
      environment: 'sandbox',
      now: Date.now(),
    })
    const connection = connectionRow(application.id, 'con_tkn_none', { tags: ['north'] })
    await db.transaction((tx) => tx.insert(tableOf(Connection), [connection]))
    return new DeliveryHarness(home, db, application.id, connection.id)
  }

  /** Dependencies of commands whose notifications are all lost. */
  get silentDeps(): ConnectionCommandDeps & WebhookCommandDeps {
    const { secrets, clock } = this.tools
    return {
      db: this.db,
      secrets,
      clock,
      registry: registry([]),
      queue: { add: () => Promise.resolve() },
      notifier: { notify: () => undefined },
      renewals: newRenewals(),
      outgoingRules: { allowPrivate: ['127.0.0.1'], requireHttps: false, permittedBy: 'WEBHOOK_ALLOW' },
    }
  }

  /** Starts a delivery worker. */
  startWorker(tools: Partial<DeliveryWorkerDeps> = {}): DeliveryWorker {
    const worker = startDeliveryWorker({ ...this.tools, ...tools })
    this.workers.push(worker)
    return worker
  }

  moveClock(ms: number): void {
    this.aheadMs += ms
    this.tools.notifier.notify(WEBHOOKS_TOPIC)
  }

  async endpoint(url: string, values: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> {
    const [endpoint] = await this.endpoints([url], values)
    return endpoint as WebhookEndpoint
  }

  /** Creates endpoints that start at the beginning of the log. */
  async endpoints(
    urls: readonly string[],
    values: Partial<WebhookEndpoint> = {},
    progress: Partial<WebhookProgress> = {},
  ): Promise<WebhookEndpoint[]> {
    const now = this.tools.clock.now()
    const rows = urls.map((url) => endpointRow(this.applicationId, url, { createdAt: now, ...values }))
    await this.db.transaction(async (tx) => {
      await tx.insert(tableOf(WebhookEndpoint), rows)
      await tx.insert(
        tableOf(WebhookSecret),
        rows.map((row) => this.secretRow(row, SECRET)),
      )
      await tx.insert(
        tableOf(WebhookProgress),
        rows.map((row) => progressRow(row, progress)),
      )
    })
    this.tools.notifier.notify(WEBHOOKS_TOPIC)
    return rows
  }

  secretRow(
    { id: endpointId, applicationId }: WebhookEndpoint,
    secret: string,
    expiresAt: number | null = null,
  ): WebhookSecret {
    const id = newId('webhookSecret')
    const secretSealed = this.tools.secrets.seal(
      secret,
      encryptionContext('webhook_secrets.secretSealed', { id, applicationId }),
    )
    return { id, applicationId, endpointId, secretSealed, createdAt: Date.now(), expiresAt }
  }

  /** Writes events of a number of vehicles in turn to the log, and assigns their positions. */
  async log(count: number, { vehicles = count, type = 'vehicle.modified' } = {}): Promise<void> {
    const { applicationId, connectionId } = this
    const connection = { id: connectionId, provider: { name: 'Sandbox', code: 'sandbox' } }
    const reported = Array.from({ length: count }, (_, index) => {
      const subjectId = `vcl_${String(index % vehicles).padStart(26, '0')}`
      return { type, subjectId, detail: { vehicle: { id: subjectId, name: `change ${index}` }, connection } }
    })
    for (let at = 0; at < reported.length; at += 1000)
      await this.db.transaction((tx) =>
        appendEvents(tx, { applicationId, connectionId, at: Date.now() }, reported.slice(at, at + 1000)),
      )
    this.tools.notifier.notify(OUTBOX_TOPIC)
    await this.sequencer.assignPositions()
  }

  /** Resolves when every endpoint has reached the end of the log. */
  async reachedEnd(): Promise<void> {
    const behind =
      'SELECT 1 FROM `webhook_progress` AS p JOIN `log_heads` AS h ON h.`applicationId` = p.`applicationId` WHERE p.`position` < h.`position`'
    while ((await this.db.rows(behind)).length > 0) await wait(20)
  }

  /** Returns the event ids of the log in order. */
  async logged(): Promise<string[]> {
    const rows = await this.db.rows<{ id: string }>('SELECT `id` FROM `events` ORDER BY `position`')
    return rows.map(({ id }) => id)
  }

  async deliveries(): Promise<WebhookDelivery[]> {
    const rows = await this.db.rows<Record<string, unknown>>(
      'SELECT * FROM `webhook_deliveries` ORDER BY `position`, `endpointId`',
    )
    return rows.map((row) => tableOf(WebhookDelivery).toRow(row))
  }

  /** Returns the number of deliveries by status. */
  async statuses(): Promise<Record<string, number>> {
    const rows = await this.db.rows<{ status: string; n: number }>(
      'SELECT `status`, COUNT(*) AS n FROM `webhook_deliveries` GROUP BY `status`',
    )
    return Object.fromEntries(rows.map(({ status, n }) => [status, Number(n)]))
  }

  async run(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    const changed = await this.db.transaction((tx) => tx.run(sql, parameters))
    this.tools.notifier.notify(WEBHOOKS_TOPIC)
    return changed
  }

  async one<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row> {
    const [row] = await this.db.rows<Row>(sql, parameters)
    if (!row) throw new Error(`no row: ${sql}`)
    return row
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()))
    await this.sequencer.close()
    await this.db.close()
    await this.home.remove()
  }
}

export const endpointRow = (
  applicationId: Id<'application'>,
  url: string,
  values: Partial<WebhookEndpoint> = {},
): WebhookEndpoint => ({
  id: newId('webhookEndpoint'),
  applicationId,
  url,
  description: null,
  types: ['*'],
  connectionIds: null,
  tags: null,
  ordering: 'none',
  concurrency: 10,
  ratePerSecond: null,
  retrySeconds: null,
  headersSealed: null,
  disabledAt: null,
  disabledReason: null,
  createdAt: Date.now(),
  modifiedAt: Date.now(),
  ...values,
})

export const progressRow = (
  { id, applicationId, createdAt }: WebhookEndpoint,
  values: Partial<WebhookProgress> = {},
): WebhookProgress => ({
  endpointId: id,
  applicationId,
  position: 0,
  awaits: null,
  wakeAt: createdAt,
  leaseOwner: null,
  leasedUntil: null,
  failures: 0,
  failingSince: null,
  lastSuccessAt: null,
  lastAttemptAt: null,
  ...values,
})
