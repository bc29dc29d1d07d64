import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const quarantined: TableDefinition = {
  name: 'left_out_records',
  columns: `
    connectionId ID NOT NULL
    model ID NOT NULL
    hash ID NOT NULL
    applicationId ID NOT NULL
    provider ID NOT NULL
    schemaName ID NOT NULL
    extractedAt INSTANT NOT NULL
    seenIn ID NOT NULL
    data JSON NOT NULL`,
  primaryKey: ['connectionId', 'model', 'hash'],
  indexes: [['extractedAt']],
}

/** Quarantined records. */
export class LeftOutRecords implements MigrationInterface {
  readonly name = 'LeftOutRecords1700000000012'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, quarantined)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
