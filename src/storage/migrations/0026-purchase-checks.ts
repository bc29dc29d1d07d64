import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const purchaseChecks: TableDefinition = {
  name: 'purchase_checks',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    connectionId ID NOT NULL
    keyHash ID NOT NULL
    inputHash ID NOT NULL
    idempotencyKey TEXT NOT NULL
    vehicleId ID NOT NULL
    driverId ID NULL
    cardId TEXT NULL
    purchasedAt INSTANT NOT NULL
    checkedAt INSTANT NOT NULL
    phase ID NOT NULL
    merchant JSON NOT NULL
    amount JSON NOT NULL
    fuel JSON NULL
    metadata JSON NULL
    decision ID NOT NULL
    stage ID NOT NULL
    wouldBe JSON NOT NULL
    reasons JSON NOT NULL
    evidence JSON NOT NULL
    policyVersion NUMBER NOT NULL
    milliseconds NUMBER NOT NULL`,
  primaryKey: ['id'],
  unique: [['keyHash']],
  indexes: [
    ['connectionId', 'purchasedAt', 'id'],
    ['applicationId', 'purchasedAt', 'id'],
    ['vehicleId', 'purchasedAt', 'id'],
    ['applicationId', 'cardId', 'purchasedAt', 'id'],
  ],
}

/** Checks of fuel purchases. */
export class PurchaseChecks implements MigrationInterface {
  readonly name = 'PurchaseChecks1700000000026'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, purchaseChecks)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
