import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mysqlFindings } from '../../../src/cli/doctor/mysql.ts'
import type { Config } from '../../../src/platform/config/config.ts'
import type { Database } from '../../../src/storage/database.ts'
import { withRunner } from '../../../src/storage/migrate.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import type { KillableMariadb } from '../../support/database/killable-mariadb.ts'
import { stores } from '../../support/database/stores.ts'
import { openTransactions, startUnusualMariadb } from '../../support/database/unusual-mariadb.ts'

const EXPECTED = {
  autocommit: 1,
  completionType: 'NO_CHAIN',
  isolation: 'REPEATABLE-READ',
  readOnly: 0,
  uniqueChecks: 1,
  safeUpdates: 0,
  bigSelects: 1,
  client: 'utf8mb4',
  results: 'utf8mb4',
  collation: 'utf8mb4_general_ci',
}
const ACTUAL = `SELECT @@autocommit AS autocommit, @@completion_type AS completionType, @@tx_isolation AS isolation,
  @@tx_read_only AS readOnly, @@unique_checks AS uniqueChecks, @@sql_safe_updates AS safeUpdates,
  @@sql_big_selects AS bigSelects, @@character_set_client AS client, @@character_set_results AS results,
  @@collation_connection AS collation`

const COUNT_TO_5000 =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n'

describe.skipIf(!stores.includes('mariadb')).each([
  ['its options and global variables', 'root'],
  ['init_connect', 'fleet'],
])('on a server whose sessions start with other values, from %s,', (_, user) => {
  let server: KillableMariadb
  let replica: KillableMariadb
  let db: Database
  const urlOf = (of: KillableMariadb) => of.url('odograph').replace('root@', `${user}@`)

  beforeAll(async () => {
    server = await startServer()
    replica = await startServer()
    db = await openDatabase({
      mysqlUrl: urlOf(server),
      replicaUrls: [urlOf(replica)],
      sqlitePath: '',
      poolSize: 4,
    })
    await db.migrate()
  })

  afterAll(async () => {
    await db?.close()
    await server?.[Symbol.asyncDispose]()
    await replica?.[Symbol.asyncDispose]()
  })

  test('every kind of connection has the variables that the statements need', async () => {
    expect(await db.rows(ACTUAL)).toEqual([EXPECTED])
    expect(await db.inBackground().rows(ACTUAL)).toEqual([EXPECTED])
    expect(await db.forReading().rows(ACTUAL)).toEqual([EXPECTED])
    expect(await db.transaction((tx) => tx.rows(ACTUAL))).toEqual([EXPECTED])
    const inRunner = await withRunner({ mysqlUrl: urlOf(server), sqlitePath: '' }, (runner) =>
      runner.query(ACTUAL),
    )
    expect(inRunner).toEqual([EXPECTED])
  })

  test('a statement of the pool has the longest limit of jobs, a migration has none', async () => {
    const limit = 'SELECT @@max_statement_time AS seconds'
    expect(await db.rows(limit)).toEqual([{ seconds: 16 }])
    expect(await db.forReading().rows(limit)).toEqual([{ seconds: 16 }])
    const inRunner = await withRunner({ mysqlUrl: urlOf(server), sqlitePath: '' }, (runner) =>
      runner.query(limit),
    )
    expect(inRunner.map(({ seconds }: { seconds: unknown }) => Number(seconds))).toEqual([0])
  })

  test('a committed write is visible to every connection at once', async () => {
    for (let time = 1; time <= 20; time++) {
      const wrote = await db.transaction((tx) =>
        tx.run(
          `INSERT INTO \`applications\` (\`id\`, \`name\`, \`environment\`, \`createdAt\`) VALUES ('app_1', ?, 'test', 0)
            ON DUPLICATE KEY UPDATE \`name\` = VALUES(\`name\`)`,
          [`Łódź ${time}`],
        ),
      )
      expect(wrote).toBeGreaterThan(0)
      const name = 'SELECT `name` FROM `applications` WHERE `id` = ?'
      const reads = Array.from({ length: 4 }, () => db.rows<{ name: string }>(name, ['app_1']))
      const names = (await Promise.all(reads)).flat().map((row) => row.name)
      expect(names).toEqual(Array(4).fill(`Łódź ${time}`))
    }
  })

  test('no idle connection holds a transaction', async () => {
    await Promise.all(Array.from({ length: 4 }, () => db.rows('SELECT `id` FROM `applications`')))
    expect(db.pool()).toMatchObject({ open: 4, idle: 4 })

    expect(await openTransactions(server)).toEqual([])
  })

  test('a read returns all rows', async () => {
    expect(await db.rows(COUNT_TO_5000)).toHaveLength(5000)
    expect(await db.forReading().rows(COUNT_TO_5000)).toHaveLength(5000)
  })

  test('the doctor can check the server', async () => {
    const findings = await mysqlFindings({ mysqlUrl: urlOf(server), mysqlPool: 4 } as Config)

    expect(findings.filter(({ state }) => state === 'fail')).toEqual([])
  })
})

async function startServer(): Promise<KillableMariadb> {
  const started = await startUnusualMariadb()
  await started.query('CREATE DATABASE odograph')
  await started.query("GRANT ALL ON odograph.* TO fleet@'%' IDENTIFIED BY ''")
  return started
}
