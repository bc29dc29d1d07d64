import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'

const requestLog: TableDefinition = {
  name: 'request_log',
  columns: `
    id ID NOT NULL
    requestId TEXT NOT NULL
    at INSTANT NOT NULL
    applicationId ID NOT NULL
    connectionId ID NULL
    keyId ID NULL
    sessionId ID NULL
    interface ID NOT NULL
    operation TEXT NULL
    documentHash TEXT NULL
    cost NUMBER NULL
    status NUMBER NULL
    errorCode TEXT NULL
    durationMs NUMBER NOT NULL`,
  primaryKey: ['id'],
  indexes: [
    ['applicationId', 'at', 'id'],
    ['applicationId', 'errorCode', 'at', 'id'],
    ['connectionId', 'at', 'id'],
    ['requestId', 'at', 'id'],
  ],
}

/** Log of the requests that the API has answered. */
export class RequestLog implements MigrationInterface {
  readonly name = 'RequestLog1700000000017'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const sql of createTable(dialect, requestLog)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
