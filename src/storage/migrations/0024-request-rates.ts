import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, type Dialect } from '../sql/dialect.ts'

/** Request rates of single applications and keys. */
export class RequestRates implements MigrationInterface {
  readonly name = 'RequestRates1700000000024'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const table of ['applications', 'api_keys'])
      await addColumns(runner, dialect, table, 'pointsPerMinute NUMBER NULL')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
