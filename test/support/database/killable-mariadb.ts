import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { freePort } from '../queue/temporary-redis.ts'

/**
 * Programs that root starts, such as the state transfer, drop its rights. The server then runs as the user of
 * its package.
 */
const USER = userInfo().uid === 0 ? 'mysql' : userInfo().username

/** A MariaDB server that the test may kill. It keeps its data between starts. */
export class KillableMariadb implements AsyncDisposable {
  private server: ChildProcess | undefined

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly options: readonly string[],
  ) {}

  /** Prepares a server with more options and starts it. */
  static async start(options: readonly string[] = []): Promise<KillableMariadb> {
    const mariadb = await KillableMariadb.prepare(options)
    await mariadb.start()
    return mariadb
  }

  /** Prepares a server without starting it. */
  static async prepare(options: readonly string[] = [], port?: number): Promise<KillableMariadb> {
    const folder = mkdtempSync(join(tmpdir(), 'odograph-mariadb-'))
    const made = [
      `--datadir=${folder}/data`,
      `--tmpdir=${folder}`,
      '--auth-root-authentication-method=normal',
      `--user=${USER}`,
    ]
    if (USER !== userInfo().username) execFileSync('chown', [USER, folder])
    installDatabase(`${folder}/data`, made)
    return new KillableMariadb(port ?? (await freePort()), folder, options)
  }

  url(database = ''): string {
    return `mysql://root@127.0.0.1:${this.port}/${database}`
  }

  /** Starts the server, with extra options for this start, and waits until it responds. */
  async start(once: readonly string[] = []): Promise<void> {
    this.launch(once)
    await this.answers()
  }

  launch(onceMore: readonly string[] = []): void {
    const { folder } = this
    // A server deletes the temporary tables in its folder when it starts, also those of other servers.
    const own = [
      `--datadir=${folder}/data`,
      `--tmpdir=${folder}`,
      `--socket=${folder}/socket`,
      `--port=${this.port}`,
    ]
    const small = ['--innodb-buffer-pool-size=32M', '--innodb-log-file-size=32M', '--performance-schema=OFF']
    const server = spawn(
      'mariadbd',
      [
        '--no-defaults',
        ...own,
        '--bind-address=127.0.0.1',
        `--user=${USER}`,
        `--pid-file=${folder}/pid`,
        `--log-error=${folder}/error.log`,
        ...small,
        ...this.options,
        ...onceMore,
      ],
      { stdio: 'ignore' },
    )
    this.server = server
    // The server must not outlive an aborted test.
    const kill = () => void server.kill('SIGKILL')
    process.once('exit', kill)
    server.once('exit', () => process.off('exit', kill))
  }

  async answers(): Promise<void> {
    for (;;) {
      if (this.server?.exitCode != null) throw new Error(`mariadbd exited: see ${this.folder}/error.log`)
      if (await this.query('SELECT 1').catch(() => null)) return
      await wait(50)
    }
  }

  /** Queries the server directly, without the service. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    const connection = await createConnection({ uri: this.url(), connectTimeout: 1000 })
    try {
      const [rows] = await connection.query<RowDataPacket[]>(sql)
      return rows as Row[]
    } finally {
      connection.destroy()
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const server = this.server
    this.server = undefined
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }

  kill = (): Promise<void> => this.end('SIGKILL')

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const INSTALL_ATTEMPTS = 3

/** Creates the system tables. The program fails now and then on a busy machine; its output is in the last error. */
function installDatabase(data: string, options: readonly string[]): void {
  for (let attempt = 1; ; attempt++) {
    try {
      execFileSync('mariadb-install-db', ['--no-defaults', '--skip-test-db', ...options], { stdio: 'pipe' })
      return
    } catch (error) {
      if (attempt === INSTALL_ATTEMPTS) throw error
      rmSync(data, { recursive: true, force: true })
    }
  }
}
