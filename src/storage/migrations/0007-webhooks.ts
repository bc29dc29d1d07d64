import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, addIndex, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const tables: readonly TableDefinition[] = [
  {
    name: 'webhook_endpoints',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      url JSON NOT NULL
      description TEXT NULL
      types JSON NOT NULL
      connectionIds JSON NULL
      tags JSON NULL
      ordering ID NOT NULL
      concurrency NUMBER NOT NULL
      ratePerSecond NUMBER NULL
      retrySeconds JSON NULL
      disabledAt INSTANT NULL
      disabledReason ID NULL
      createdAt INSTANT NOT NULL
      modifiedAt INSTANT NOT NULL`,
    primaryKey: ['id'],
    indexes: [['applicationId', 'id']],
  },
  {
    // Delivery progress and lease of an endpoint. They have their own table, because they change with each delivery.
    name: 'webhook_progress',
    columns: `
      endpointId ID NOT NULL
      applicationId ID NOT NULL
      position INSTANT NOT NULL
      awaits ID NULL
      wakeAt INSTANT NULL
      leaseOwner ID NULL
      leasedUntil INSTANT NULL
      failures NUMBER NOT NULL
      failingSince INSTANT NULL
      lastSuccessAt INSTANT NULL
      lastAttemptAt INSTANT NULL`,
    primaryKey: ['endpointId'],
    indexes: [['applicationId'], ['wakeAt'], ['awaits']],
  },
  {
    name: 'webhook_secrets',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      endpointId ID NOT NULL
      secretSealed JSON NOT NULL
      createdAt INSTANT NOT NULL
      expiresAt INSTANT NULL`,
    primaryKey: ['id'],
    indexes: [['endpointId']],
  },
  {
    name: 'webhook_deliveries',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      connectionId ID NULL
      endpointId ID NOT NULL
      eventId ID NOT NULL
      position INSTANT NULL
      resourceId ID NULL
      type ID NOT NULL
      status ID NOT NULL
      attempts NUMBER NOT NULL
      nextAttemptAt INSTANT NULL
      lastAttemptAt INSTANT NULL
      lastStatusCode NUMBER NULL
      body JSON NULL
      createdAt INSTANT NOT NULL`,
    primaryKey: ['id'],
    unique: [['endpointId', 'eventId']],
    indexes: [
      ['endpointId', 'id'],
      ['endpointId', 'status', 'nextAttemptAt', 'resourceId', 'position'],
      ['connectionId'],
    ],
  },
  {
    name: 'webhook_attempts',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      endpointId ID NOT NULL
      deliveryId ID NOT NULL
      number NUMBER NOT NULL
      attemptedAt INSTANT NOT NULL
      durationMs NUMBER NOT NULL
      outcome ID NOT NULL
      statusCode NUMBER NULL
      error TEXT NULL
      url JSON NOT NULL
      requestHeaders JSON NOT NULL
      responseHeaders JSON NULL
      responseBody JSON NULL`,
    primaryKey: ['id'],
    indexes: [['deliveryId', 'id']],
  },
  {
    name: 'sessions',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      connectionIds JSON NULL
      scopes JSON NOT NULL
      createdAt INSTANT NOT NULL
      expiresAt INSTANT NOT NULL
      revokedAt INSTANT NULL`,
    primaryKey: ['id'],
    indexes: [['applicationId', 'id'], ['expiresAt']],
  },
]

/** Webhook endpoints with their deliveries and progress, and sessions of browsers. */
export class Webhooks implements MigrationInterface {
  readonly name = 'Webhooks1700000000007'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const table of tables) for (const sql of createTable(dialect, table)) await runner.query(sql)
    // `turn` is the number of the sequencer's batch that last added to the log. The index finds logs that have grown.
    await addColumns(runner, dialect, 'log_heads', 'turn INSTANT NULL')
    await addIndex(runner, dialect, 'log_heads', ['turn'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
