import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const trustedDocuments: TableDefinition = {
  name: 'trusted_documents',
  columns: `
    id ID NOT NULL
    applicationId ID NOT NULL
    documentId TEXT NOT NULL
    textHash ID NOT NULL
    text JSON NOT NULL
    publishedAt INSTANT NOT NULL`,
  primaryKey: ['id'],
  indexes: [['applicationId', 'textHash']],
}

/** GraphQL documents that applications have published, and whether their callers may run others. */
export class TrustedDocuments implements MigrationInterface {
  readonly name = 'TrustedDocuments1700000000023'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, trustedDocuments)) await runner.query(sql)
    for (const table of ['applications', 'api_keys'])
      await addColumns(runner, dialect, table, 'documentMode ID NULL')
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
