import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, type Dialect } from '../sql/dialect.ts'

/** Number of replays of a webhook delivery. */
export class DeliveryReplays implements MigrationInterface {
  readonly name = 'DeliveryReplays1700000000015'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'webhook_deliveries', 'replays NUMBER NOT NULL DEFAULT 0')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
