import type { Pool, PoolConnection, RowDataPacket } from 'mysql2'
import { DatabaseTimeout } from '../timeouts.ts'
import { classifyError, requiresOtherServer } from './error-classifier.ts'
import type { FailoverNodes } from './failover.ts'
import { OPTIONAL_SETTING, poolSettings } from './session-settings.ts'
import type { StatementKiller } from './statement-killer.ts'

/**
 * Makes a cluster node wait until it has applied the acknowledged writes of the other nodes. After a switch, the new
 * node may be behind the previous one.
 */
const CATCH_UP = ['SET SESSION wsrep_sync_wait = 1', 'SELECT 1', 'SET SESSION wsrep_sync_wait = 0']

/** Assumed `max_allowed_packet`, in bytes, until a connection has read the value of the server. */
const INITIAL_MAX_PACKET = 2 ** 20

/** MySQL error: the server does not have a variable. */
const UNKNOWN_VARIABLE = 1193

interface ServerParts {
  /** Null if the server is not a cluster. */
  readonly nodes: FailoverNodes | null
  readonly killer: StatementKiller
  /** The longest time limit of a statement. */
  readonly maxStatementMs: number
}

/** MySQL or MariaDB server, or a cluster. Every wait has a time limit. */
export class Server {
  /** `max_allowed_packet` of the server. Every new connection reads it, before its first transaction. */
  maxStatementBytes = INITIAL_MAX_PACKET
  private readonly initialized = new WeakSet<PoolConnection>()

  private readonly nodes: FailoverNodes | null

  constructor(
    private readonly pool: Pool,
    private readonly parts: ServerParts,
  ) {
    this.nodes = parts.nodes
  }

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

  /**
   * Runs a statement. A connection that is lost or does not answer in time is closed, and its statement is ended on the
   * server, which ends its transaction. Without time left, nothing is sent.
   */
  query(
    connection: PoolConnection,
    sql: string,
    parameters: readonly unknown[],
    ms: number,
  ): Promise<unknown> {
    if (ms <= 0) return Promise.reject(new DatabaseTimeout(0))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new DatabaseTimeout(ms))
        this.abandon(connection, sql)
      }, ms)
      connection.query(sql, parameters as unknown[], (error, result) => {
        clearTimeout(timer)
        if (!error) return resolve(result)
        reject(error)
        this.closeIfLost(connection, error, sql)
      })
    })
  }

  private closeIfLost(connection: PoolConnection, error: unknown, sql: string): void {
    if (requiresOtherServer(error)) this.nodes?.leaveNodeOf(connection.config)
    if (classifyError(error) !== 'lost') return
    if (isAnswer(error)) connection.destroy()
    else this.abandon(connection, sql)
  }

  /** Closes a connection whose statement may still run on the server, and ends the statement. */
  private abandon(connection: PoolConnection, sql: string): void {
    const { threadId } = connection
    const node = this.nodes?.nodeOf(connection.config) ?? null
    connection.destroy()
    this.parts.killer.kill({ connectionId: threadId, sql, node })
  }

  /** Closes the connections. A server that does not answer is no error: its connections are lost anyway. */
  async close(): Promise<void> {
    await new Promise<void>((resolve, reject) =>
      this.pool.end((error) => (error && classifyError(error) !== 'lost' ? reject(error) : resolve())),
    )
    await this.parts.killer.close()
  }

  private isCurrent(connection: PoolConnection): boolean {
    return this.nodes === null || this.nodes.isCurrent(connection.config)
  }

  /** Sends the session settings of a new connection. They run before the first statement of its caller. */
  private initialize(connection: PoolConnection): void {
    if (this.initialized.has(connection)) return
    this.initialized.add(connection)
    this.nodes?.markConnected(connection.config)
    // Without a listener, the event would throw. The failed statement reports the error to its caller.
    connection.on('error', () => undefined)
    const optional = [OPTIONAL_SETTING, ...(this.nodes ? CATCH_UP : [])]
    for (const sql of [...poolSettings(this.parts.maxStatementMs), ...optional])
      connection.query(sql, (error) => {
        const isMissing = error?.errno === UNKNOWN_VARIABLE && optional.includes(sql)
        if (error && !isMissing) connection.destroy()
      })
    connection.query<RowDataPacket[]>('SELECT @@max_allowed_packet AS `bytes`', (error, rows) => {
      if (!error) this.maxStatementBytes = Number(rows[0]?.['bytes'])
    })
  }
}

/** Whether the server sent the error. It then no longer runs the statement. */
const isAnswer = (error: unknown): boolean => (error as { sqlState?: string }).sqlState !== undefined
