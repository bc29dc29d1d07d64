import type { Caller } from '../../../src/auth/caller.ts'
import { keyHolder } from '../../../src/auth/caller.ts'
import { keyScopes } from '../../../src/auth/key-scopes.ts'
import { type Id, newId } from '../../../src/domain/ids.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import type { AuditEntry } from '../../../src/subgraphs/tables/audit-log.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { Issue } from '../../../src/subgraphs/connections/issues/issue.ts'
import { Vehicle } from '../../../src/subgraphs/fleet/vehicle.ts'
import { hashOfCard, PurchaseCard } from '../../../src/subgraphs/purchases/cards/purchase-card.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { seedHeldRemoval } from '../rows/held-removal-rows.ts'
import { cardRow } from '../rows/purchase-rows.ts'
import { issueRow } from '../rows/record-rows.ts'
import { eventRow, masterEncryption, NOON, type ApiClient, vehicleRow } from '../factories.ts'
import { idIn, type Payload, RECEIVER } from './mutation-cases.ts'
import type { ConnectionsHarness, Linked, Outcome } from '../harnesses/connections-harness.ts'

/** Tables that mutations write. A refused mutation must not change any row of them. */
const TABLES = [
  'applications',
  'api_keys',
  'connections',
  'agreements',
  'public_tokens',
  'syncs',
  'issues',
  'held_removals',
  'sessions',
  'short_links',
  'purchase_cards',
  'purchase_sites',
  'purchase_policies',
  'vehicle_facts',
  'events',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_progress',
  'webhook_deliveries',
  'audit_log',
] as const

/** An application with one connection, and a key with every scope. */
export class AuditHarness {
  private constructor(
    readonly harness: ConnectionsHarness,
    readonly linked: Linked,
    readonly keyId: Id<'key'>,
    readonly client: ApiClient,
  ) {}

  static async set(harness: ConnectionsHarness, given?: Linked): Promise<AuditHarness> {
    const linked = given ?? (await harness.link())
    const keyId = newId('key')
    const key = { id: keyId, scopes: [...keyScopes], expiresAt: null }
    const caller: Caller = keyHolder(linked.applicationId, null, key)
    return new AuditHarness(harness, linked, keyId, { ...linked.owner, caller })
  }

  get connectionId(): string {
    return this.linked.id
  }

  mutate = (name: string, input: object, selection: string): Promise<Outcome> =>
    this.harness.mutate(this.client, name, input, selection)

  /** Runs a mutation that must succeed. Returns the selected payload. */
  async done(name: string, input: object, selection: string): Promise<Payload> {
    const { payload, message, detail } = await this.mutate(name, input, selection)
    if (payload === null) throw new Error(`${name}: ${message} ${JSON.stringify(detail)}`)
    return payload as Payload
  }

  async vehicle(): Promise<string> {
    const row = vehicleRow({ applicationId: this.linked.applicationId, connectionId: this.linked.id })
    await this.harness.db.transaction((tx) => tx.insert(tableOf(Vehicle), [row]))
    return row.id
  }

  /** Stores a card of a vehicle. Returns the id of the vehicle. */
  async card(cardId: string): Promise<string> {
    const { applicationId, id: connectionId } = this.linked
    const vehicleId = await this.vehicle()
    const cardHash = hashOfCard(applicationId, cardId)
    const card = cardRow({ applicationId, connectionId }, { vehicleId, cardId, cardHash })
    await this.harness.db.transaction((tx) => tx.insert(tableOf(PurchaseCard), [card]))
    return vehicleId
  }

  async issue(): Promise<string> {
    const row = issueRow({ applicationId: this.linked.applicationId, connectionId: this.linked.id })
    await this.harness.db.transaction((tx) => tx.insert(tableOf(Issue), [row]))
    return row.id
  }

  async heldRemoval(): Promise<void> {
    const connection = await findById(this.harness.db, Connection, this.linked.id)
    if (!connection) throw new Error('no connection')
    await seedHeldRemoval(this.harness.db, connection)
  }

  /** Appends an event to the log. */
  async event(): Promise<string> {
    const { applicationId, id: connectionId } = this.linked
    const [head] = await this.harness.db.rows<{ position: number }>(
      'SELECT `position` FROM `log_heads` WHERE `applicationId` = ?',
      [applicationId],
    )
    const position = Number(head?.position ?? 0) + 1
    const row = eventRow({ applicationId, connectionId }, { position, occurredAt: NOON })
    await this.harness.db.transaction(async (tx) => {
      await tx.insert(tableOf(EventRow), [row])
      await tx.run('DELETE FROM `log_heads` WHERE `applicationId` = ?', [applicationId])
      await tx.run('INSERT INTO `log_heads` (`applicationId`, `position`) VALUES (?, ?)', [
        applicationId,
        position,
      ])
    })
    return row.id
  }

  async endpoint(): Promise<string> {
    return idIn(await this.done('createWebhookEndpoint', { url: RECEIVER }, 'endpoint { id }'), 'endpoint')
  }

  /** Returns the audit log of the application, oldest first. */
  async entries(): Promise<AuditEntry[]> {
    const rows = await this.harness.db.rows<AuditEntry & { detail: string }>(
      'SELECT * FROM `audit_log` WHERE `applicationId` = ? ORDER BY `at`, `id`',
      [this.linked.applicationId],
    )
    return rows.map((row) => ({
      ...row,
      detail: typeof row.detail === 'string' ? JSON.parse(row.detail) : row.detail,
    }))
  }

  /** Returns every row that a mutation could change. */
  async state(): Promise<unknown> {
    const own = [this.linked.applicationId]
    const tables = await Promise.all(
      TABLES.map(async (table) => [
        table,
        await this.harness.db.rows(
          `SELECT * FROM \`${table}\` WHERE \`${table === 'applications' ? 'id' : 'applicationId'}\` = ?`,
          own,
        ),
      ]),
    )
    return JSON.parse(JSON.stringify(tables))
  }
}

export { masterEncryption }
