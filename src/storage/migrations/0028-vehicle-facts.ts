import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const vehicleFacts: TableDefinition = {
  name: 'vehicle_facts',
  columns: `
    vehicleId ID NOT NULL
    applicationId ID NOT NULL
    connectionId ID NOT NULL
    fuelTankCapacity NUMBER NULL
    fuelTankCount NUMBER NULL
    fuelType ID NULL
    fuelConsumption NUMBER NULL
    overrules NUMBER NOT NULL
    modifiedAt INSTANT NOT NULL`,
  primaryKey: ['vehicleId'],
  indexes: [
    ['connectionId', 'vehicleId'],
    ['applicationId', 'vehicleId'],
  ],
}

/** Facts about vehicles that applications set. */
export class VehicleFacts implements MigrationInterface {
  readonly name = 'VehicleFacts1700000000028'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, vehicleFacts)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
