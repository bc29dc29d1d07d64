import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'
import { TENANT } from './provider-record-columns.ts'

const tables: readonly TableDefinition[] = [
  {
    // Public tokens, the results of link runs. Only their hashes are stored.
    name: 'public_tokens',
    columns: `
      hash ID NOT NULL
      applicationId ID NOT NULL
      connectionId ID NOT NULL
      createdAt INSTANT NOT NULL
      expiresAt INSTANT NOT NULL
      spentAt INSTANT NULL`,
    primaryKey: ['hash'],
    indexes: [['connectionId']],
  },
  {
    name: 'issues',
    columns: `${TENANT}
      status ID NOT NULL
      code ID NOT NULL
      model ID NULL
      message JSON NOT NULL
      firstReportedAt INSTANT NOT NULL
      lastReportedAt INSTANT NOT NULL`,
    primaryKey: ['id'],
    indexes: [
      ['applicationId', 'connectionId', 'id'],
      ['connectionId', 'status'],
    ],
  },
  {
    // Syncs that met an issue, and the number of records that each sync left out because of the issue.
    name: 'sync_issues',
    columns: `
      syncId ID NOT NULL
      issueId ID NOT NULL
      applicationId ID NOT NULL
      connectionId ID NOT NULL
      records NUMBER NOT NULL`,
    primaryKey: ['syncId', 'issueId'],
    indexes: [['connectionId'], ['issueId']],
  },
]

const columns: Readonly<Record<string, string>> = {
  connections: `
    statusBefore ID NULL
    deletionRequestedAt INSTANT NULL
    deletedAt INSTANT NULL
    timeZone TEXT NULL`,
  // A publishable key is not secret: every link contains it.
  api_keys: `
    publishable TEXT NULL`,
  syncs: `
    providerRequests JSON NULL`,
}

export class Connections implements MigrationInterface {
  readonly name = 'Connections1700000000003'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const table of tables) for (const sql of createTable(dialect, table)) await runner.query(sql)
    for (const [table, added] of Object.entries(columns)) await addColumns(runner, dialect, table, added)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
