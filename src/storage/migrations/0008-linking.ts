import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, addIndex, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const tables: readonly TableDefinition[] = [
  {
    name: 'link_runs',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      connectionId ID NULL
      isAgain NUMBER NOT NULL
      tokenHash ID NOT NULL
      settings JSON NOT NULL
      status ID NOT NULL
      provider ID NULL
      signIn ID NULL
      credentialsSealed JSON NOT NULL
      problem ID NULL
      checkedSince INSTANT NULL
      agreedAt INSTANT NULL
      ipAddress TEXT NULL
      userAgent JSON NULL
      oauthStateHash ID NULL
      oauthBindingHash ID NULL
      oauthVerifierSealed JSON NOT NULL
      oauthExpiresAt INSTANT NULL
      createdAt INSTANT NOT NULL
      expiresAt INSTANT NOT NULL`,
    primaryKey: ['id'],
    unique: [['tokenHash']],
    indexes: [['oauthStateHash'], ['connectionId'], ['expiresAt']],
  },
  {
    name: 'short_links',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      code ID NOT NULL
      bodyHash ID NOT NULL
      settings JSON NOT NULL
      createdAt INSTANT NOT NULL
      expiresAt INSTANT NOT NULL
      deletedAt INSTANT NULL`,
    primaryKey: ['id'],
    unique: [['code']],
    indexes: [['applicationId', 'bodyHash'], ['expiresAt']],
  },
  {
    // Audit log. It refers to connections and keys by id, and its entries stay after these are deleted.
    name: 'audit_log',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      at INSTANT NOT NULL
      actorKind ID NOT NULL
      actorId TEXT NULL
      action ID NOT NULL
      targetId ID NULL
      detail JSON NOT NULL`,
    primaryKey: ['id'],
    indexes: [['applicationId', 'at', 'id']],
  },
]

/** Link runs and short links, key scopes, and the audit log. */
export class Linking implements MigrationInterface {
  readonly name = 'Linking1700000000008'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const table of tables) for (const sql of createTable(dialect, table)) await runner.query(sql)
    const key = 'name TEXT NULL\nscopes JSON NULL\nlastUsedAt INSTANT NULL\nexpiresAt INSTANT NULL'
    await addColumns(runner, dialect, 'api_keys', key)
    await addIndex(runner, dialect, 'api_keys', ['applicationId'])
    const application = 'linkOrigins JSON NULL\nagreementUrl JSON NULL\nmergesConnections NUMBER NULL'
    await addColumns(runner, dialect, 'applications', application)
    await addColumns(runner, dialect, 'agreements', 'type ID NULL')
    await addColumns(runner, dialect, 'sessions', 'keyId ID NULL')
    await addColumns(runner, dialect, 'connections', 'refreshingUntil INSTANT NULL')
    // The index finds the connection of a provider account that is linked again.
    await addIndex(runner, dialect, 'connections', ['applicationId', 'provider', 'sourceId'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
