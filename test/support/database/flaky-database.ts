import { randomUUID } from 'node:crypto'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { newId } from '../../../src/domain/ids.ts'
import type { Database, DatabaseLog } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { appendEvents } from '../../../src/storage/outbox.ts'
import { NOON } from '../factories.ts'
import { PATIENCE_MS } from './migrated-databases.ts'
import { TcpProxy } from './tcp-proxy.ts'

const SERVER = () => process.env['MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306'

/** A MariaDB database behind TCP proxies that a test can cut. */
export interface DatabaseTarget extends AsyncDisposable {
  /** Opens the empty database over a proxy of its own. */
  open(options?: FlakyOptions): Promise<FlakyDatabase>
  /** Queries the server directly, without a proxy. */
  direct<Row extends object>(sql: string): Promise<Row[]>
  /** Returns the number of open server connections to the database. */
  connections(): Promise<number>
}

interface FlakyOptions {
  readonly timeoutMs?: number
  readonly poolSize?: number
  readonly log?: DatabaseLog
  /** Whether the server is also its own replica. */
  readonly hasReplica?: boolean
}

export interface FlakyDatabase extends AsyncDisposable {
  readonly db: Database
  readonly proxy: TcpProxy
}

const WRITTEN =
  "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('things', 'events', 'commits')"

/** Creates a database that many tests share. */
export async function createDatabaseTarget(): Promise<DatabaseTarget> {
  const name = `odograph_test_${randomUUID().replaceAll('-', '')}`
  const server = await createConnection(SERVER())
  const direct = async <Row extends object>(sql: string) =>
    (await server.query<RowDataPacket[]>(sql))[0] as Row[]
  const open = async ({ hasReplica = false, ...options }: FlakyOptions = {}) => {
    for (const table of await direct<{ TABLE_NAME: string }>(WRITTEN))
      await direct(`DELETE FROM \`${table.TABLE_NAME}\``)
    const proxy = await TcpProxy.to(Number(new URL(SERVER()).port || 3306))
    const db = await openDatabase({
      mysqlUrl: proxy.url(name),
      sqlitePath: '',
      timeoutMs: PATIENCE_MS,
      replicaUrls: hasReplica ? [proxy.url(name)] : [],
      ...options,
    })
    return { db, proxy, [Symbol.asyncDispose]: () => close(db, proxy) }
  }
  await direct(`CREATE DATABASE ${name}`)
  await direct(`USE ${name}`)
  await using first = await open()
  await first.db.migrate()
  await direct('CREATE TABLE `things` (`id` varchar(48) PRIMARY KEY, `n` int DEFAULT 0)')
  return {
    open,
    direct,
    async connections() {
      const rows = await direct<{ n: number }>(
        `SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE DB = '${name}' AND ID <> CONNECTION_ID()`,
      )
      return Number(rows[0]?.n)
    },
    async [Symbol.asyncDispose]() {
      await direct(`DROP DATABASE ${name}`)
      await server.end()
    },
  }
}

async function close(db: Database, proxy: TcpProxy): Promise<void> {
  proxy.outcomeOf = () => 'delivered'
  proxy.recover()
  await db.close()
  await proxy[Symbol.asyncDispose]()
}

/** Writes a row and an event for it in one transaction, as commands do. The event has an id of its own. */
export const writeOnce = (db: Pick<Database, 'transaction'>, row: string): Promise<string> =>
  db.transaction(async (tx) => {
    await tx.run('INSERT INTO `things` (`id`) VALUES (?)', [row])
    const origin = {
      applicationId: newId('application'),
      connectionId: newId('connection'),
      at: NOON,
    }
    await appendEvents(tx, origin, [{ type: 'vehicle.added', subjectId: row, detail: {} }])
    return row
  })

/** Selects rows whose number of events is not one. */
export const ROWS_WITHOUT_ONE_EVENT = `SELECT t.id, COUNT(e.id) AS events FROM things AS t
  LEFT JOIN events AS e ON e.subjectId = t.id GROUP BY t.id HAVING events <> 1`
