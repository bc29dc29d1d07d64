import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, type Dialect } from '../sql/dialect.ts'

/** Roles of people who sign in to the dashboard, and their names in the audit log. */
export class SessionRoles implements MigrationInterface {
  readonly name = 'SessionRoles1700000000038'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'sessions', 'role ID NULL')
    await addColumns(runner, dialect, 'audit_log', 'actorName TEXT NULL')
    // Only sign-in links have a name or a code.
    await runner.query(
      "UPDATE `sessions` SET `role` = 'VIEWER' WHERE `role` IS NULL AND (`name` IS NOT NULL OR `signInCodeHash` IS NOT NULL)",
    )
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
