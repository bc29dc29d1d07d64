import { type ContextFor, createContextFactory } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { registry } from '../../../src/providers/registry.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { newId } from '../../../src/domain/ids.ts'
import { WebhookDelivery } from '../../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import { WEBHOOKS_TOPIC } from '../../../src/subgraphs/events/webhooks/topics.ts'
import {
  eventRow,
  masterEncryption,
  NOON,
  type ApiClient,
  type SeededApplication,
  seedApplication,
  type RecordsOf,
  temporaryDatabase,
  newRenewals,
} from '../factories.ts'
import { type Answer, ask, documentOf, supergraph } from '../graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)

export const RECEIVER = 'https://receiver.example.com/hook'

/** Response to one operation. */
export interface OperationReply {
  // oxlint-disable-next-line typescript/no-explicit-any -- a payload is what was selected
  readonly payload: any
  readonly code: string | null
  /** Path of the invalid member. */
  readonly path: string | null
  readonly message: string | null
}

/**
 * The graph over a database of its own. The clock moves only when a test moves it, and notifications are
 * counted.
 */
export class EndpointHarness {
  now = NOON
  /** Number of notifications to the delivery worker. */
  notifications = 0
  readonly contextFor: ContextFor

  private constructor(readonly db: Database & AsyncDisposable) {
    const notifier = createInProcessNotifier()
    notifier.subscribe(WEBHOOKS_TOPIC, () => void this.notifications++)
    this.contextFor = createContextFactory({
      db,
      log: createLog('silent'),
      notifier,
      renewals: newRenewals(),
      queue: inProcessQueue({ onError: () => undefined }),
      clock: { now: () => this.now },
      cursorKey: masterEncryption.derive('cursors'),
      registry: registry([]),
      secrets: masterEncryption,
      linkUrl: () => 'https://link.example.com',
      publicUrl: () => 'https://api.example.com',
      mediaUrl: () => 'https://media.example.com',
      pollOnDemand: () => Promise.resolve(),
    })
  }

  static start = async (dialect: Dialect): Promise<EndpointHarness> =>
    new EndpointHarness(await temporaryDatabase(dialect))

  /** Stores an application with this many connections. */
  seed = (connections = 1): Promise<SeededApplication> =>
    seedApplication(
      this.db,
      Array.from({ length: connections }, () => () => ({})),
    )

  /** Stores an application whose one connection has these records. */
  seedRecords = (records: RecordsOf): Promise<SeededApplication> => seedApplication(this.db, [records])

  /** Appends entries to an application's log, one second apart. Returns their ids. */
  async log(seeded: SeededApplication, entries: readonly Partial<EventRow>[]): Promise<string[]> {
    const applicationId = seeded.id
    const [head] = await this.rows<{ position: number }>('log_heads', '`applicationId` = ?', applicationId)
    const from = Number(head?.position ?? 0)
    const connectionId = seeded.connections[0]!.connection.id
    const rows = entries.map((values, index) =>
      eventRow(
        { applicationId, connectionId },
        { occurredAt: this.now + index * 1000, ...values, position: from + index + 1 },
      ),
    )
    await this.db.transaction(async (tx) => {
      await tx.insert(tableOf(EventRow), rows)
      await tx.run('DELETE FROM `log_heads` WHERE `applicationId` = ?', [applicationId])
      await tx.run('INSERT INTO `log_heads` (`applicationId`, `position`) VALUES (?, ?)', [
        applicationId,
        from + rows.length,
      ])
    })
    return rows.map(({ id }) => id)
  }

  /** Marks the log so far as delivered to an endpoint, as the delivery worker does. */
  markDelivered = (endpointId: string): Promise<number> =>
    this.run(
      'UPDATE `webhook_progress` SET `wakeAt` = NULL, `position` = COALESCE((SELECT h.`position` FROM `log_heads` AS h WHERE h.`applicationId` = `webhook_progress`.`applicationId`), 0) WHERE `endpointId` = ?',
      endpointId,
    )

  /** Stores a delivery of an event, as the delivery worker does. */
  async delivery(
    seeded: SeededApplication,
    endpointId: string,
    eventId: string,
    values: Partial<WebhookDelivery> = {},
  ): Promise<string> {
    const [entry] = await this.rows<{ position: number; subjectId: string | null; type: string }>(
      'events',
      '`id` = ?',
      eventId,
    )
    const row: WebhookDelivery = {
      id: newId('webhookDelivery', this.now),
      applicationId: seeded.id,
      connectionId: seeded.connections[0]!.connection.id,
      endpointId,
      eventId,
      position: Number(entry?.position),
      resourceId: entry?.subjectId ?? null,
      type: String(entry?.type),
      status: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      lastAttemptAt: this.now,
      lastStatusCode: 200,
      replays: 0,
      body: null,
      createdAt: this.now,
      ...values,
    }
    await this.db.transaction((tx) => tx.insert(tableOf(WebhookDelivery), [row]))
    return row.id
  }

  ask = (
    client: ApiClient,
    text: string,
    variables: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer> => ask(executor, this.contextFor, { client, document: documentOf(text), variables })

  /** Runs one mutation. */
  async mutate(client: ApiClient, name: string, input: object, selection: string): Promise<OperationReply> {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
    const { data, errors } = await this.ask(client, text, { input })
    const [error] = errors ?? []
    const detail = (error?.extensions as { detail?: { path: string }[] } | undefined)?.detail
    return {
      payload: (data as Record<string, unknown> | null)?.[name] ?? null,
      code: error?.extensions?.code ?? null,
      path: Array.isArray(detail) ? (detail[0]?.path ?? null) : null,
      message: error?.message ?? null,
    }
  }

  /** Creates an endpoint. Returns its id. */
  async endpoint(client: ApiClient, input: object = {}): Promise<string> {
    const { payload, message } = await this.mutate(
      client,
      'createWebhookEndpoint',
      { url: RECEIVER, ...input },
      'endpoint { id }',
    )
    if (!payload) throw new Error(String(message))
    return payload.endpoint.id as string
  }

  rows = <Row = Record<string, unknown>>(table: string, where = '1 = 1', ...parameters: unknown[]) =>
    this.db.rows<Row>(`SELECT * FROM \`${table}\` WHERE ${where}`, parameters)

  run = (sql: string, ...parameters: unknown[]): Promise<number> =>
    this.db.transaction((tx) => tx.run(sql, parameters))

  async [Symbol.asyncDispose](): Promise<void> {
    await this.db[Symbol.asyncDispose]()
  }
}
