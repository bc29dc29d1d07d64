import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addIndex, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const purchaseCards: TableDefinition = {
  name: 'purchase_cards',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    connectionId ID NOT NULL
    cardHash ID NOT NULL
    cardId TEXT NOT NULL
    vehicleId ID NULL
    driverId ID NULL
    assignedAt INSTANT NOT NULL`,
  primaryKey: ['id'],
  unique: [['cardHash']],
  indexes: [
    ['applicationId', 'id'],
    ['connectionId', 'id'],
    ['vehicleId', 'id'],
  ],
}

/** Fuel cards with their vehicles and drivers, and an index for the vehicle that a driver drives. */
export class PurchaseCards implements MigrationInterface {
  readonly name = 'PurchaseCards1700000000030'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, purchaseCards)) await runner.query(sql)
    await addIndex(runner, dialect, 'latest_vehicle_locations', ['driverId'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
