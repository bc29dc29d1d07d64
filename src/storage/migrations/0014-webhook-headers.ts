import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, type Dialect } from '../sql/dialect.ts'

/** Custom headers of webhook endpoints, encrypted. */
export class WebhookHeaders implements MigrationInterface {
  readonly name = 'WebhookHeaders1700000000014'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'webhook_endpoints', 'headersSealed JSON NULL')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
