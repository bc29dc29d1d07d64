import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, addIndex, type Dialect } from '../sql/dialect.ts'

const columns = `
  authorizationId TEXT NULL
  authorizationCheckId ID NULL
  reconcileAt INSTANT NULL
  reconciliation JSON NULL`

/** Captures of checked purchases, and their comparison with the fuel level. */
export class PurchaseCaptures implements MigrationInterface {
  readonly name = 'PurchaseCaptures1700000000029'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'purchase_checks', columns)
    await addIndex(runner, dialect, 'purchase_checks', ['applicationId', 'authorizationId', 'id'])
    await addIndex(runner, dialect, 'purchase_checks', ['reconcileAt', 'id'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
