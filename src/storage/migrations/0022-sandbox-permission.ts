import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, type Dialect } from '../sql/dialect.ts'

/** Whether an application can use sandbox providers. */
export class SandboxPermission implements MigrationInterface {
  readonly name = 'SandboxPermission1700000000022'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'applications', 'allowsSandbox NUMBER NULL')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
