import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import type { Database } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'

export type Store = 'sqlite' | 'mariadb'

/** A service of one or more processes, used over HTTP. */
export interface RunningService extends AsyncDisposable {
  readonly ready: Ready
  /** Output of all its streams so far. */
  readonly output: () => string
  headers(): Record<string, string>
  graphql<Data>(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>
  rest<Body>(path: string): Promise<Body>
  /** Sends a signal and waits for the exit. Returns the exit code; null if the signal killed it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export interface Ready {
  readonly url: string
  readonly graphqlUrl: string
  readonly wsUrl: string
  readonly restUrl: string
  readonly secretKey: string
  readonly publishableKey: string
  readonly connectionToken: string
  readonly connectionId: string
  /** Code of a sign-in link to the dashboard. */
  readonly signInCode: string
}

/** Storage of one service: a folder, and on MariaDB also a database and a Redis prefix. */
export interface Home {
  readonly store: Store
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  open(): Promise<Database>
  remove(): Promise<void>
}

/** Servers of a home. */
interface Servers {
  readonly mysql: string
  readonly redis: string
}

const ofTheSuites = (): Servers => ({
  mysql: process.env['MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306',
  redis: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379',
})

export async function makeHome(store: Store, given: Partial<Servers> = {}): Promise<Home> {
  const servers = { ...ofTheSuites(), ...given }
  const folder = mkdtempSync(join(tmpdir(), 'odograph-'))
  const name = `odograph_${randomBytes(6).toString('hex')}`
  if (store === 'sqlite') {
    const open = () => openDatabase({ sqlitePath: join(folder, 'odograph.db') })
    return { store, folder, environment: {}, open, remove: async () => rmSync(folder, { recursive: true }) }
  }
  const mysqlUrl = Object.assign(new URL(servers.mysql), { pathname: `/${name}` }).href
  await inMariadb(servers, `CREATE DATABASE \`${name}\``)
  return {
    store,
    folder,
    environment: { MYSQL_URL: mysqlUrl, REDIS_URL: servers.redis, QUEUE_PREFIX: name, DEMO: 'on' },
    open: () => openDatabase({ mysqlUrl, sqlitePath: '', poolSize: 2 }),
    async remove() {
      await inMariadb(servers, `DROP DATABASE \`${name}\``)
      await forgetKeys(servers, name)
      rmSync(folder, { recursive: true })
    },
  }
}

async function inMariadb({ mysql }: Servers, sql: string): Promise<void> {
  const connection = await createConnection(mysql)
  await connection.query<RowDataPacket[]>(sql)
  await connection.end()
}

async function forgetKeys({ redis: url }: Servers, prefix: string): Promise<void> {
  const redis = new Redis(url)
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 }))
    if ((keys as string[]).length > 0) await redis.del(...(keys as string[]))
  redis.disconnect()
}

/** Rate limits that no test or proof reaches unless it sets them. */
const AMPLE_RATES = { RATE_LIMIT_APPLICATION: '1000000000', RATE_LIMIT_ADDRESS: '1000000' }

/** The service as a user starts it, as a separate process. */
export class ServiceProcess implements RunningService {
  private constructor(
    readonly child: ChildProcess,
    private readonly readyFile: string,
    readonly output: () => string,
  ) {}

  private known: Ready | null = null

  /** Starts the service and waits until it is ready. */
  static async start(
    home: Home,
    options: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ) {
    const service = ServiceProcess.spawn(home, options, environment)
    await service.becomesReady()
    return service
  }

  static spawn(
    home: Home,
    options: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ) {
    const readyFile = join(home.folder, `ready-${randomBytes(4).toString('hex')}.json`)
    const program = join(process.cwd(), 'dist/src/main.js')
    const args = [program, '--port', '0', '--data', home.folder, '--ready-file', readyFile, ...options]
    const child = spawn(process.execPath, args, {
      env: { ...clean(process.env), ...AMPLE_RATES, ...home.environment, ...environment },
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)))
    return new ServiceProcess(child, readyFile, () => printed)
  }

  async becomesReady(): Promise<Ready> {
    for (;;) {
      const text = readIfThere(this.readyFile)
      if (text) return (this.known = JSON.parse(text) as Ready)
      const { exitCode, signalCode } = this.child
      if (exitCode !== null || signalCode !== null)
        throw new Error(`the service ended with ${exitCode ?? signalCode}: ${this.output()}`)
      await wait(20)
    }
  }

  get ready(): Ready {
    if (!this.known) throw new Error('the service is not ready yet')
    return this.known
  }

  headers(): Record<string, string> {
    const { secretKey, connectionToken } = this.ready
    return { authorization: `Bearer ${secretKey}`, 'connection-token': connectionToken }
  }

  async graphql<Data>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Data> {
    const response = await fetch(this.ready.graphqlUrl, {
      method: 'POST',
      headers: { ...this.headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }

  async rest<Body>(path: string): Promise<Body> {
    const response = await fetch(this.ready.restUrl + path, { headers: this.headers() })
    return (await response.json()) as Body
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode
    const exited = once(this.child, 'exit')
    this.child.kill(signal)
    const [code] = (await exited) as [number | null]
    return code
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL')
  }
}

/** Removes the settings of the test environment. */
function clean(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { MYSQL_URL: _, REDIS_URL: __, NODE_OPTIONS: ___, ...rest } = environment
  return rest
}

/** Returns null for a file that is not written yet. */
function readIfThere(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8')
    return text.endsWith('}\n') ? text : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
