import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

/** Registered writes that are not committed (`in-flight-writes.ts`). There are few at any time. */
const openWrites: TableDefinition = {
  name: 'open_writes',
  columns: `
    applicationId ID NOT NULL
    stamp INSTANT NOT NULL
    connectionId ID NOT NULL
    openedAt INSTANT NOT NULL`,
  primaryKey: ['applicationId', 'stamp'],
  indexes: [['connectionId', 'stamp']],
}

export class OpenWrites implements MigrationInterface {
  readonly name = 'OpenWrites1700000000004'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, openWrites)) await runner.query(sql)
    // Newest stamp of the application; null before the first registration.
    await addColumns(runner, dialect, 'applications', 'clock INSTANT NULL')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
