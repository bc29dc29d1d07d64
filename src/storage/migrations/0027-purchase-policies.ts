import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const purchasePolicies: TableDefinition = {
  name: 'purchase_policies',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    version NUMBER NOT NULL
    target TEXT NOT NULL
    stage ID NULL
    settings JSON NOT NULL
    effectiveAt INSTANT NOT NULL
    createdAt INSTANT NOT NULL`,
  primaryKey: ['id'],
  unique: [['applicationId', 'version']],
  indexes: [['applicationId', 'target', 'effectiveAt', 'version']],
}

/** Policies of purchase checks, all versions. */
export class PurchasePolicies implements MigrationInterface {
  readonly name = 'PurchasePolicies1700000000027'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, purchasePolicies)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
