import { randomBytes } from 'node:crypto'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import type { Config } from '../../platform/config/config.ts'
import { type MysqlServer, parseMysqlUrl } from '../../platform/config/mysql-url.ts'
import { connectionOptions } from '../../storage/mysql/options.ts'
import { SESSION_SETTINGS } from '../../storage/mysql/session-settings.ts'
import { clockFinding, fail, type Finding, ok, describeError, warn } from './finding.ts'

const TIMEOUT_MS = 5000
const LOOPBACK = /^(localhost|127\..*|::1)$/

/** Checks a MySQL or MariaDB server. */
export async function mysqlFindings({ mysqlUrl, mysqlPool }: Config): Promise<Finding[]> {
  if (!mysqlUrl) return []
  const servers = parseMysqlUrl(mysqlUrl)
  let connection: Connection
  try {
    connection = await connectToFirst(servers)
  } catch (error) {
    return [unreachable(error, servers[0])]
  }
  try {
    for (const sql of SESSION_SETTINGS) await connection.query(sql)
    const facts = await factsOf(connection)
    return [
      versionFinding(facts.version),
      encryptionFinding(servers[0]),
      ...mysqlServerFindings(facts),
      connectionLimitFinding(facts, mysqlPool),
      await privilegesFinding(connection),
      await clockFinding('database clock', () => timeOf(connection)),
    ]
  } finally {
    await connection.end()
  }
}

/** Connects to the first node of a cluster that answers. */
async function connectToFirst(servers: readonly MysqlServer[]): Promise<Connection> {
  let failure: unknown
  for (const server of servers)
    try {
      return await createConnection({ ...connectionOptions(server), connectTimeout: TIMEOUT_MS })
    } catch (error) {
      failure ??= error
    }
  throw failure
}

function encryptionFinding({ host, socketPath, tls }: MysqlServer): Finding {
  if (socketPath !== undefined) return ok('encryption', 'a socket of this host')
  if (tls?.rejectUnauthorized)
    return ok('encryption', tls.verifyIdentity ? 'TLS, host name checked' : 'TLS, certificate checked')
  if (LOOPBACK.test(host)) return ok('encryption', 'none needed on this host')
  return warn(
    'encryption',
    tls ? 'TLS, without a check of the certificate' : 'none',
    'add ssl-mode=VERIFY_IDENTITY to MYSQL_URL, with ssl-ca=FILE if a private authority signed the certificate',
  )
}

function unreachable(error: unknown, { host, port, user, database, socketPath }: MysqlServer): Finding {
  const { code } = error as { code?: string }
  const advice: Record<string, string> = {
    ER_ACCESS_DENIED_ERROR: `give user ${user} the right password in MYSQL_URL`,
    ER_DBACCESS_DENIED_ERROR: `GRANT ALL ON \`${database}\`.* TO '${user}'`,
    ER_BAD_DB_ERROR: `CREATE DATABASE \`${database}\` CHARACTER SET utf8mb4`,
  }
  const found = `${socketPath ?? `${host}:${port}`}: ${describeError(error)}`
  return fail('database', found, advice[code ?? ''] ?? 'start the server, or correct MYSQL_URL')
}

export interface ServerFacts {
  readonly version: string
  readonly charset: string
  /** `max_allowed_packet`, in bytes. */
  readonly packet: number
  /** `innodb_flush_log_at_trx_commit`: 1 writes each commit to the disk at once. */
  readonly flush: number
  /** Support of the engine InnoDB: `DEFAULT` or `YES` if it is available. */
  readonly innodb: string | null
  readonly maxConnections: number
  readonly connected: number
}

async function factsOf(connection: Connection): Promise<ServerFacts> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    `SELECT VERSION() AS version, @@character_set_database AS charset, @@max_allowed_packet AS packet,
      @@innodb_flush_log_at_trx_commit AS flush, @@max_connections AS maxConnections,
      (SELECT SUPPORT FROM information_schema.ENGINES WHERE ENGINE = 'InnoDB') AS innodb`,
  )
  const [[threads]] = await connection.query<RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'Threads_connected'")
  return { ...(row as Omit<ServerFacts, 'connected'>), connected: Number(threads?.['Value']) }
}

export function versionFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map((part) => parseInt(part, 10))
  const mariadb = /mariadb/i.test(version)
  const fits = mariadb ? major > 10 || (major === 10 && minor >= 6) : major >= 8
  const found = `${mariadb ? 'MariaDB' : 'MySQL'} ${version}`
  return fits ? ok('database', found) : fail('database', found, 'use MySQL 8 or MariaDB 10.6, or later')
}

const MIB = 2 ** 20

/** Checks the variables of the server. */
export function mysqlServerFindings({ charset, packet, flush, innodb }: ServerFacts): Finding[] {
  return [
    innodb === 'DEFAULT' || innodb === 'YES'
      ? ok('engine', 'InnoDB')
      : fail('engine', 'no InnoDB', 'enable InnoDB: the service needs its transactions'),
    charset === 'utf8mb4'
      ? ok('charset', charset)
      : warn(
          'charset',
          charset,
          'ALTER DATABASE … CHARACTER SET utf8mb4; Odograph sets it on its own tables',
        ),
    packet >= 16 * MIB
      ? ok('max_allowed_packet', `${packet / MIB} MiB`)
      : fail(
          'max_allowed_packet',
          `${packet / MIB} MiB`,
          'set it to 16 MiB or more: one statement writes a page of records',
        ),
    Number(flush) === 1
      ? ok('durability', 'innodb_flush_log_at_trx_commit = 1')
      : warn(
          'durability',
          `innodb_flush_log_at_trx_commit = ${flush}`,
          'set it to 1, or a power cut loses commits',
        ),
    ok('time zone', 'any; times are stored in milliseconds'),
  ]
}

/** Connections that stay free for administrators. */
const RESERVED = 10

export function connectionLimitFinding({ maxConnections, connected }: ServerFacts, pool: number): Finding {
  const processes = Math.floor((maxConnections - RESERVED) / pool)
  const found = `room for ${processes} processes with pools of ${pool} (max_connections ${maxConnections}, ${connected} in use)`
  return processes >= 1
    ? ok('connections', found)
    : fail('connections', found, 'raise max_connections, or lower MYSQL_POOL')
}

/** Checks the rights that migrations need: creates, alters and drops a table. */
async function privilegesFinding(connection: Connection): Promise<Finding> {
  const name = `\`odograph_doctor_${randomBytes(4).toString('hex')}\``
  try {
    await connection.query(`CREATE TABLE ${name} (id int PRIMARY KEY) ENGINE=InnoDB`)
    await connection.query(`ALTER TABLE ${name} ADD COLUMN text varchar(9) NULL`)
    await connection.query(`CREATE INDEX text ON ${name} (text)`)
    return ok('rights', 'may create, alter and drop tables')
  } catch (error) {
    const isReadOnly = /PREVENTS_STATEMENT|READ_ONLY/.test(String((error as { code?: unknown }).code))
    const advice = isReadOnly
      ? 'point MYSQL_URL to the primary: this server is read-only'
      : 'GRANT ALL ON the database to the user of MYSQL_URL: migrations need it'
    return fail('rights', describeError(error), advice)
  } finally {
    // Without the right to create tables, there is nothing to drop.
    await connection.query(`DROP TABLE IF EXISTS ${name}`).catch(() => undefined)
  }
}

async function timeOf(connection: Connection): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    'SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS now',
  )
  return Number(row?.['now'])
}
