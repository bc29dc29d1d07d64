import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, addIndex, type Dialect } from '../sql/dialect.ts'

/** Codes with which people sign in to sessions, and the names of these people. */
export class SignInLinks implements MigrationInterface {
  readonly name = 'SignInLinks1700000000037'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(
      runner,
      dialect,
      'sessions',
      `name TEXT NULL
      signInCodeHash ID NULL`,
    )
    await addIndex(runner, dialect, 'sessions', ['signInCodeHash'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
