import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addIndex, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

/**
 * Times of the next sync and poll of a connection. Their own table keeps the scheduler from locking connection rows.
 */
const schedules: TableDefinition = {
  name: 'schedules',
  columns: `
    connectionId ID NOT NULL
    applicationId ID NOT NULL
    nextSyncAt INSTANT NOT NULL
    nextPollAt INSTANT NOT NULL`,
  primaryKey: ['connectionId'],
  indexes: [['nextSyncAt'], ['nextPollAt']],
}

export class Schedules implements MigrationInterface {
  readonly name = 'Schedules1700000000006'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, schedules)) await runner.query(sql)
    // The index finds unfinished syncs of a connection, and shows whether the connection ever had a sync.
    await addIndex(runner, dialect, 'syncs', ['connectionId', 'status'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
