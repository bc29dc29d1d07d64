import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const filterChanges: TableDefinition = {
  name: 'filter_changes',
  columns: `
    sequence SEQUENCE
    connectionId ID NOT NULL
    applicationId ID NOT NULL
    kind ID NOT NULL
    filterBefore JSON NULL
    lastStamp INSTANT NOT NULL`,
  indexes: [['connectionId', 'sequence']],
}

/** Changes of filters whose records do not have their new `modifiedAt` yet. */
export class FilterChanges implements MigrationInterface {
  readonly name = 'FilterChanges1700000000020'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, filterChanges)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
