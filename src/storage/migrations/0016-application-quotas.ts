import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, addIndex, type Dialect } from '../sql/dialect.ts'

/** Own quotas of an application, and the index that counts its sessions. */
export class ApplicationQuotas implements MigrationInterface {
  readonly name = 'ApplicationQuotas1700000000016'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'applications', 'quotas JSON NULL')
    await addIndex(runner, dialect, 'sessions', ['applicationId', 'expiresAt'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
