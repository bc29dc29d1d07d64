import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const heldRemovals: TableDefinition = {
  name: 'held_removals',
  columns: `
    connectionId ID NOT NULL
    model ID NOT NULL
    applicationId ID NOT NULL
    syncId ID NOT NULL
    issueId ID NOT NULL
    since INSTANT NOT NULL
    dueAt INSTANT NOT NULL
    missing NUMBER NOT NULL
    total NUMBER NOT NULL
    decision ID NULL`,
  primaryKey: ['connectionId', 'model'],
}

/** Removals that wait for a second sync. */
export class HeldRemovals implements MigrationInterface {
  readonly name = 'HeldRemovals1700000000018'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, heldRemovals)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
