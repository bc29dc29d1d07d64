import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

/** Commit markers of the last hour (`mysql/commit-markers.ts`). */
const commits: TableDefinition = {
  name: 'commits',
  columns: `
    id ID NOT NULL
    committed FLAG NOT NULL`,
  primaryKey: ['id'],
}

export class Commits implements MigrationInterface {
  readonly name = 'Commits1700000000005'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, commits)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
