import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, type Dialect } from '../sql/dialect.ts'

/** Start of the time window that a sync read, for each occurrence of an issue. */
export class IssueWindows implements MigrationInterface {
  readonly name = 'IssueWindows1700000000013'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'sync_issues', 'readFrom INSTANT NULL')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
