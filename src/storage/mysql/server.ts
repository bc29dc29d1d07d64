import type { Pool, PoolConnection, RowDataPacket } from 'mysql2'
import { DatabaseTimeout } from '../timeouts.ts'
import { classifyError, requiresOtherServer } from './error-classifier.ts'
import type { FailoverHosts } from './failover.ts'
import { OPTIONAL_SETTING, POOL_SETTINGS } from './session-settings.ts'

/** Makes a cluster node wait until it has applied the acknowledged writes of the other nodes. */
const CATCH_UP = ['SET SESSION wsrep_sync_wait = 1', 'SELECT 1', 'SET SESSION wsrep_sync_wait = 0']

/** Assumed `max_allowed_packet`, in bytes, until a connection has read the value of the server. */
const INITIAL_MAX_PACKET = 2 ** 20

/** MySQL error: the server does not have a variable. */
const UNKNOWN_VARIABLE = 1193

/** MySQL or MariaDB server, or a cluster. Every wait has a time limit. */
export class Server {
  /** `max_allowed_packet` of the server. Every new connection reads it, before its first transaction. */
  maxStatementBytes = INITIAL_MAX_PACKET
  private readonly initialized = new WeakSet<PoolConnection>()

  constructor(
    private readonly pool: Pool,
    private readonly hosts: FailoverHosts | null,
  ) {}

  /** Runs one read. The time limit includes the wait for a connection. */
  async rows<T>(sql: string, parameters: readonly unknown[], ms: number): Promise<T[]> {
    const until = performance.now() + ms
    const connection = await this.take(ms)
    try {
      return (await this.query(connection, sql, parameters, until - performance.now())) as T[]
    } finally {
      connection.release()
    }
  }

  /**
   * Takes a connection; the caller must release it. A connection that comes after the time limit is released at once.
   */
  take(ms: number): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(new DatabaseTimeout(ms))
      }, ms)
      const tryNext = () =>
        this.pool.getConnection((error, connection) => {
          if (isLate) return connection?.release()
          if (connection && !this.isCurrent(connection)) {
            connection.destroy()
            return tryNext()
          }
          clearTimeout(timer)
          if (error || !connection)
            return reject(error ?? new Error('the connection pool returned no connection'))
          this.initialize(connection)
          resolve(connection)
        })
      tryNext()
    })
  }

  /** Runs a statement. A connection that is lost or does not answer in time is closed, which ends its transaction. */
  query(
    connection: PoolConnection,
    sql: string,
    parameters: readonly unknown[],
    ms: number,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new DatabaseTimeout(ms))
        connection.destroy()
      }, ms)
      connection.query(sql, parameters as unknown[], (error, result) => {
        clearTimeout(timer)
        if (!error) return resolve(result)
        reject(error)
        this.closeIfLost(connection, error)
      })
    })
  }

  private closeIfLost(connection: PoolConnection, error: unknown): void {
    if (requiresOtherServer(error)) this.hosts?.leaveHostOf(socketOf(connection))
    if (classifyError(error) === 'lost') connection.destroy()
  }

  private isCurrent(connection: PoolConnection): boolean {
    return this.hosts === null || this.hosts.isCurrent(socketOf(connection))
  }

  /** Sends the session settings of a new connection. They run before the first statement of its caller. */
  private initialize(connection: PoolConnection): void {
    if (this.initialized.has(connection)) return
    this.initialized.add(connection)
    this.hosts?.markOpen(socketOf(connection))
    // Without a listener, the event would throw. The failed statement reports the error to its caller.
    connection.on('error', () => undefined)
    const optional = [OPTIONAL_SETTING, ...(this.hosts?.hasSeveral ? CATCH_UP : [])]
    for (const sql of [...POOL_SETTINGS, ...optional])
      connection.query(sql, (error) => {
        const isMissing = error?.errno === UNKNOWN_VARIABLE && optional.includes(sql)
        if (error && !isMissing) connection.destroy()
      })
    connection.query<RowDataPacket[]>('SELECT @@max_allowed_packet AS `bytes`', (error, rows) => {
      if (!error) this.maxStatementBytes = Number(rows[0]?.['bytes'])
    })
  }
}

const socketOf = (connection: PoolConnection): object =>
  (connection as unknown as { readonly stream: object }).stream
