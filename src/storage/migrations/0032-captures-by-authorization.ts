import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addIndex, type Dialect } from '../sql/dialect.ts'

/** Index of the captures of a checked authorization. */
export class CapturesByAuthorization implements MigrationInterface {
  readonly name = 'CapturesByAuthorization1700000000032'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addIndex(runner, dialect, 'purchase_checks', ['applicationId', 'authorizationCheckId'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
