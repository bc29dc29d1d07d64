import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const turns: TableDefinition = {
  name: 'link_turns',
  columns: `
    id ID NOT NULL
    used NUMBER NOT NULL
    endsAt INSTANT NOT NULL`,
  primaryKey: ['id'],
  indexes: [['endsAt']],
}

/** Counters for the rate limits of link runs and sign-in attempts. */
export class LinkLimits implements MigrationInterface {
  readonly name = 'LinkLimits1700000000009'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, turns)) await runner.query(sql)
    await addColumns(runner, dialect, 'link_runs', 'signInsTried NUMBER NULL')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
