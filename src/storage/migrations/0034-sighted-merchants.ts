import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const sightedMerchants: TableDefinition = {
  name: 'sighted_merchants',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    connectionId ID NOT NULL
    sightings JSON NOT NULL
    sightingCount NUMBER NOT NULL
    longitude NUMBER NULL
    latitude NUMBER NULL
    isAddressWrong NUMBER NOT NULL
    modifiedAt INSTANT NOT NULL`,
  primaryKey: ['id'],
  indexes: [['connectionId', 'id'], ['modifiedAt']],
}

/** Merchants at which vehicles filled up. */
export class SightedMerchants implements MigrationInterface {
  readonly name = 'SightedMerchants1700000000034'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, sightedMerchants)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
