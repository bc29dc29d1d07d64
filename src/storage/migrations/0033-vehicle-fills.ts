import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const vehicleFills: TableDefinition = {
  name: 'vehicle_fills',
  columns: `
    vehicleId ID NOT NULL
    applicationId ID NOT NULL
    connectionId ID NOT NULL
    fills JSON NOT NULL
    modifiedAt INSTANT NOT NULL`,
  primaryKey: ['vehicleId'],
  indexes: [['connectionId', 'vehicleId']],
}

/** What captures and the fuel levels around them showed about tanks. */
export class VehicleFills implements MigrationInterface {
  readonly name = 'VehicleFills1700000000033'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, vehicleFills)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
