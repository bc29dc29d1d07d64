import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { WebhookAttempt } from '../../../src/subgraphs/events/webhooks/webhook-attempt.ts'
import { RawRecord } from '../../../src/subgraphs/tables/raw-record.ts'
import { KillableMariadb } from '../../support/database/killable-mariadb.ts'
import { stores } from '../../support/database/stores.ts'

const KIB = 1024

describe.skipIf(!stores.includes('mariadb'))('on a server with a limit of 1 MiB for statements', () => {
  let server: KillableMariadb
  let db: Database

  beforeAll(async () => {
    server = await KillableMariadb.start(['--max-allowed-packet=1M'])
    await server.query('CREATE DATABASE odograph')
    db = await openDatabase({ mysqlUrl: server.url('odograph'), sqlitePath: '', poolSize: 4 })
    await db.migrate()
  })

  afterAll(async () => {
    await db?.close()
    await server?.[Symbol.asyncDispose]()
  })

  test.each([
    ['letters', 'x'],
    ['characters that the driver escapes', `'"\\\0\n`],
    ['characters of three bytes', '語'],
    ['bytes that are not UTF-8', '\uFFFD'],
    ['emoji', '🚚'],
  ])('a page of large records is stored: %s', async (_, text) => {
    const rows = Array.from({ length: 150 }, (_, index) => rawRecord(`veh_${index}`, text, 40 * KIB))
    await db.inBackground().transaction((tx) => tx.upsert(tableOf(RawRecord), rows))

    expect(await db.rows('SELECT 1 FROM `raw_records`')).toHaveLength(150)
    const [stored] = await db.rows<{ data: string }>(
      "SELECT `data` FROM `raw_records` WHERE `ownerId` = 'veh_7'",
    )
    expect(JSON.parse(String(stored?.data))).toEqual(rows[7]?.data)
  })

  test('a hundred large webhook attempts are stored in one transaction', async () => {
    const attempts = Array.from({ length: 100 }, (_, index) => attempt(index, '\uFFFD'.repeat(16 * KIB)))
    await db.transaction((tx) => tx.insert(tableOf(WebhookAttempt), attempts))

    expect(await db.rows('SELECT `id` FROM `webhook_attempts`')).toHaveLength(100)
  })

  test('small rows share statements of at most 500 rows', async () => {
    const statements: string[] = []
    const stop = db.onStatement((sql) => statements.push(sql))
    const rows = Array.from({ length: 1001 }, (_, index) => rawRecord(`drv_${index}`, 'x', 100))
    await db.inBackground().transaction((tx) => tx.upsert(tableOf(RawRecord), rows))
    stop()

    expect(statements.filter((sql) => sql.startsWith('INSERT INTO `raw_records`'))).toHaveLength(3)
  })
})

const rawRecord = (ownerId: string, text: string, length: number): RawRecord => ({
  ownerId,
  applicationId: 'app_1' as never,
  connectionId: 'conn_1' as never,
  provider: 'sandbox',
  schemaName: 'vehicle',
  extractedAt: 0,
  data: { notes: text.repeat(Math.ceil(length / text.length)) },
})

const attempt = (number: number, responseBody: string): WebhookAttempt => ({
  id: `wha_${number}` as never,
  applicationId: 'app_1' as never,
  endpointId: 'whe_1' as never,
  deliveryId: 'whd_1' as never,
  number,
  attemptedAt: 0,
  durationMs: 1,
  outcome: 'answered',
  statusCode: 200,
  error: null,
  url: 'https://receiver.example/hook',
  requestHeaders: {},
  responseHeaders: {},
  responseBody,
})
