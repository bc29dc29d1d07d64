import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const idempotencyKeys: TableDefinition = {
  name: 'idempotency_keys',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    connectionId ID NULL
    owner ID NOT NULL
    fingerprint TEXT NOT NULL
    answerSealed JSON NULL
    expiresAt INSTANT NOT NULL`,
  primaryKey: ['id'],
  indexes: [['connectionId'], ['expiresAt']],
}

/** Requests with an idempotency key, and their answers. */
export class IdempotencyKeys implements MigrationInterface {
  readonly name = 'IdempotencyKeys1700000000021'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, idempotencyKeys)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
