import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { freePort } from '../queue/temporary-redis.ts'

/** A MariaDB server that the test may kill. It keeps its data between starts. */
export class TemporaryMariadb implements AsyncDisposable {
  private server: ChildProcess | undefined

  private constructor(
    private readonly program: string,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** Starts a server; null on a machine without MariaDB. */
  static async start(): Promise<TemporaryMariadb | null> {
    const program = onPath('mariadbd') ?? onPath('mysqld')
    const installer = onPath('mariadb-install-db') ?? onPath('mysql_install_db')
    if (!program || !installer) return null
    const folder = mkdtempSync(join(tmpdir(), 'odograph-mariadb-'))
    const where = [
      '--no-defaults',
      `--datadir=${folder}/data`,
      `--tmpdir=${folder}`,
      `--user=${userInfo().username}`,
    ]
    execFileSync(installer, [...where, '--auth-root-authentication-method=normal'], { stdio: 'ignore' })
    const mariadb = new TemporaryMariadb(program, folder, await freePort())
    await mariadb.start()
    return mariadb
  }

  get url(): string {
    return `mysql://root@127.0.0.1:${this.port}`
  }

  /** Starts the server and waits until it responds. */
  async start(): Promise<void> {
    const options = [
      '--no-defaults',
      `--datadir=${this.folder}/data`,
      // A server deletes the temporary tables in its folder when it starts, also those of other servers.
      `--tmpdir=${this.folder}`,
      `--socket=${this.folder}/socket`,
      `--port=${this.port}`,
      '--bind-address=127.0.0.1',
      `--user=${userInfo().username}`,
    ]
    this.server = spawn(this.program, options, { stdio: 'ignore' })
    for (let tries = 0; tries < 600; tries++) {
      if (await mysqlAnswers(this.url)) return
      await wait(50)
    }
    throw new Error(`the server started at ${this.url} does not respond`)
  }

  /** Ends the server with a signal. Committed data must survive. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const server = this.server
    this.server = undefined
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }

  /** Suspends and resumes the process: a suspended server accepts connections and never responds. */
  freeze = () => this.server?.kill('SIGSTOP')
  thaw = () => this.server?.kill('SIGCONT')

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function onPath(program: string): string | null {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

export async function mysqlAnswers(url: string): Promise<boolean> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 1000 })
    await connection.query('SELECT 1')
    await connection.end()
    return true
  } catch {
    return false
  }
}
