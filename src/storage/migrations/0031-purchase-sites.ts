import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const purchaseSites: TableDefinition = {
  name: 'purchase_sites',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    siteHash ID NOT NULL
    matchKey ID NULL
    siteId TEXT NOT NULL
    name TEXT NOT NULL
    longitude NUMBER NOT NULL
    latitude NUMBER NOT NULL
    radiusMeters NUMBER NOT NULL
    postalCode TEXT NULL
    city TEXT NULL
    state TEXT NULL
    country TEXT NULL
    modifiedAt INSTANT NOT NULL`,
  primaryKey: ['id'],
  unique: [['siteHash']],
  indexes: [['applicationId', 'id'], ['matchKey']],
}

/** Places where fuel is sold, as applications know them. */
export class PurchaseSites implements MigrationInterface {
  readonly name = 'PurchaseSites1700000000031'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, purchaseSites)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
