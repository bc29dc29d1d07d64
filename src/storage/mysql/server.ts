import type { Pool, PoolConnection, RowDataPacket } from 'mysql2'
import { DatabaseTimeout } from '../timeouts.ts'
import { classifyError, requiresOtherServer } from './error-classifier.ts'
import type { FailoverHosts } from './failover.ts'
import { SESSION_SETTINGS } from './session-settings.ts'

/** A node of a cluster first applies what the others have acknowledged. */
const CATCH_UP = ['SET SESSION wsrep_sync_wait = 1', 'SELECT 1', 'SET SESSION wsrep_sync_wait = 0']

/** Smallest `max_allowed_packet` that is in use. */
const SMALLEST_PACKET = 2 ** 20

const UNKNOWN_VARIABLE = 1193

/** One MySQL or MariaDB server, or a cluster that is asked as one. Nothing here waits without an end. */
export class Server {
  /** `max_allowed_packet` of the server. Every new connection reads it, before its first transaction. */
  maxStatementBytes = SMALLEST_PACKET
  private readonly greeted = new WeakSet<PoolConnection>()

  constructor(
    private readonly pool: Pool,
    private readonly hosts: FailoverHosts | null,
  ) {}

  /** A read of its own, connection included, within one deadline. */
  async rows<T>(sql: string, parameters: readonly unknown[], ms: number): Promise<T[]> {
    const until = performance.now() + ms
    const connection = await this.take(ms)
    try {
      return (await this.ask(connection, sql, parameters, until - performance.now())) as T[]
    } finally {
      connection.release()
    }
  }

  /** A connection, which is for whoever takes it to release. One that comes too late goes back by itself. */
  take(ms: number): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      let late = false
      const timer = setTimeout(() => {
        late = true
        reject(new DatabaseTimeout(ms))
      }, ms)
      const look = () =>
        this.pool.getConnection((error, connection) => {
          if (late) return connection?.release()
          if (connection && !this.isCurrent(connection)) {
            connection.destroy()
            return look()
          }
          clearTimeout(timer)
          if (error || !connection) return reject(error ?? new Error('the pool gave no connection'))
          this.greet(connection)
          resolve(connection)
        })
      look()
    })
  }

  /** A connection that does not answer in time, or cannot any more, is closed and with it what it was at. */
  ask(connection: PoolConnection, sql: string, parameters: readonly unknown[], ms: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new DatabaseTimeout(ms))
        connection.destroy()
      }, ms)
      connection.query(sql, parameters as unknown[], (error, answer) => {
        clearTimeout(timer)
        if (!error) return resolve(answer)
        reject(error)
        this.closeIfLost(connection, error)
      })
    })
  }

  private closeIfLost(connection: PoolConnection, error: unknown): void {
    if (requiresOtherServer(error)) this.hosts?.leave(socketOf(connection))
    if (classifyError(error) === 'lost') connection.destroy()
  }

  private isCurrent(connection: PoolConnection): boolean {
    return this.hosts === null || this.hosts.isCurrent(socketOf(connection))
  }

  /** The statements go ahead of the first that the connection was taken for; nobody waits for their answers. */
  private greet(connection: PoolConnection): void {
    if (this.greeted.has(connection)) return
    this.greeted.add(connection)
    this.hosts?.isOpen(socketOf(connection))
    // The driver tells the statement that met the error as well.
    connection.on('error', () => undefined)
    for (const sql of this.hosts?.several ? [...SESSION_SETTINGS, ...CATCH_UP] : SESSION_SETTINGS)
      connection.query(sql, (error) => {
        // MySQL does not know them all.
        if (error && error.errno !== UNKNOWN_VARIABLE) connection.destroy()
      })
    connection.query<RowDataPacket[]>('SELECT @@max_allowed_packet AS `bytes`', (error, rows) => {
      if (!error) this.maxStatementBytes = Number(rows[0]?.['bytes'])
    })
  }
}

const socketOf = (connection: PoolConnection): object =>
  (connection as unknown as { readonly stream: object }).stream
