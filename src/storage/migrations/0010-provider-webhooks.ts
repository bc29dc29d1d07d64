import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const webhooks: TableDefinition = {
  name: 'provider_webhooks',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    connectionId ID NOT NULL
    tokenHash ID NOT NULL
    tokenSealed TEXT NOT NULL
    secretSealed JSON NOT NULL
    createdAt INSTANT NOT NULL
    syncDueAt INSTANT NULL
    pollDueAt INSTANT NULL
    syncedAt INSTANT NULL
    polledAt INSTANT NULL`,
  primaryKey: ['id'],
  unique: [['connectionId'], ['tokenHash']],
  indexes: [['syncDueAt'], ['pollDueAt']],
}

/**
 * Endpoints to which providers send webhooks, one for each connection. `ProviderWebhook` explains the columns
 * (`provider-webhooks/provider-webhook.ts`).
 */
export class ProviderWebhooks implements MigrationInterface {
  readonly name = 'ProviderWebhooks1700000000010'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, webhooks)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
