import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, addIndex, type Dialect } from '../sql/dialect.ts'

/** When a connection was disconnected, and an index for its last completed sync. */
export class ConnectionTimes implements MigrationInterface {
  readonly name = 'ConnectionTimes1700000000025'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'connections', 'lastDisconnectedAt INSTANT NULL')
    await addIndex(runner, dialect, 'syncs', ['connectionId', 'status', 'completedAt'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
