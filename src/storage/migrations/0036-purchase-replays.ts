import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const purchaseReplays: TableDefinition = {
  name: 'purchase_replays',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    inputHash ID NOT NULL
    purchasedAfter INSTANT NULL
    purchasedBefore INSTANT NULL
    settings JSON NOT NULL
    total NUMBER NOT NULL
    done NUMBER NOT NULL
    position JSON NULL
    createdAt INSTANT NOT NULL
    endedAt INSTANT NULL
    summary JSON NULL`,
  primaryKey: ['id'],
  indexes: [
    ['applicationId', 'inputHash', 'id'],
    ['applicationId', 'id'],
    ['endedAt', 'id'],
  ],
}

const replayedPurchases: TableDefinition = {
  name: 'replayed_purchases',
  columns: `
    id ID NOT NULL
    replayId ID NOT NULL
    applicationId ID NOT NULL
    connectionId ID NOT NULL
    vehicleId ID NOT NULL
    purchasedAt INSTANT NOT NULL
    phase ID NOT NULL
    line NUMBER NULL
    checkId ID NULL
    result JSON NOT NULL`,
  primaryKey: ['id'],
  indexes: [
    ['replayId', 'id'],
    ['connectionId', 'id'],
  ],
}

/** Replays of past purchases with a policy, and their results. */
export class PurchaseReplays implements MigrationInterface {
  readonly name = 'PurchaseReplays1700000000036'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const table of [purchaseReplays, replayedPurchases])
      for (const sql of createTable(dialect, table)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
