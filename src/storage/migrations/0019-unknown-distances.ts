import type { MigrationInterface, QueryRunner } from 'typeorm'
import { type Dialect, makeNullable } from '../sql/dialect.ts'

/** Days whose distance is unknown. */
export class UnknownDistances implements MigrationInterface {
  readonly name = 'UnknownDistances1700000000019'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await makeNullable(runner, dialect, 'vehicle_days', 'distance NUMBER')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
