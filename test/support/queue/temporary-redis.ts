import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Redis server of the test's own, that it may kill. It keeps its data between starts. */
export class TemporaryRedis implements AsyncDisposable {
  private server: ChildProcess | undefined

  private constructor(
    readonly port: number,
    private readonly directory: string,
    private readonly settings: readonly string[],
  ) {}

  /** Starts a server with further settings, such as `--cluster-enabled yes`. */
  static async start(...settings: readonly string[]): Promise<TemporaryRedis> {
    const directory = await mkdtemp(join(tmpdir(), 'odograph-redis-'))
    const redis = new TemporaryRedis(await freePort(), directory, settings)
    await redis.start()
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const options = [
      '--port',
      this.port,
      '--dir',
      this.directory,
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      ...this.settings,
    ]
    // Redis does not start with the library that shows a program another time.
    const { LD_PRELOAD: _, ...env } = process.env
    const server = spawn('redis-server', [...options, '--save', ''].map(String), {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.server = server
    for await (const text of server.stdout) if (String(text).includes('Ready to accept connections')) break
  }

  async kill(): Promise<void> {
    const server = this.server
    this.server = undefined
    if (!server) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }

  /** Forgets what it has kept, while it is killed: it starts empty then. */
  async wipe(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
    await mkdir(this.directory)
  }

  /** Stops and goes on with the process: while it is stopped it accepts connections and never answers. */
  freeze = () => this.server?.kill('SIGSTOP')
  thaw = () => this.server?.kill('SIGCONT')

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** A port nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
