import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const cardNetworkEndpoints: TableDefinition = {
  name: 'card_network_endpoints',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    network TEXT NOT NULL
    defaultDecision TEXT NOT NULL
    secretSealed JSON NOT NULL
    createdAt INSTANT NOT NULL`,
  primaryKey: ['id'],
  indexes: [['applicationId', 'id']],
}

/** Endpoints to which card networks send authorizations. */
export class CardNetworkEndpoints implements MigrationInterface {
  readonly name = 'CardNetworkEndpoints1700000000035'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, cardNetworkEndpoints)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
