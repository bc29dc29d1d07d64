import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const latestReads: TableDefinition = {
  name: 'latest_reads',
  columns: `
    connectionId ID NOT NULL
    model ID NOT NULL
    applicationId ID NOT NULL
    readAt INSTANT NOT NULL
    standsUntil INSTANT NOT NULL
    begunAt INSTANT
    state JSON`,
  primaryKey: ['connectionId', 'model'],
}

/** For each latest-state model of a connection: the last completed poll, and the cursor of an unfinished one. */
export class LatestReads implements MigrationInterface {
  readonly name = 'LatestReads1700000000011'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, latestReads)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
