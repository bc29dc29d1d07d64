import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Redis server that the test may kill. It keeps its data between starts. */
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
    // Redis does not start with the library that fakes the time of a program.
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

  /** Removes its data while it is stopped, so that it starts empty. */
  async wipe(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
    await mkdir(this.directory)
  }

  /** Suspends and resumes the process: a suspended server accepts connections and never responds. */
  freeze = () => this.server?.kill('SIGSTOP')
  thaw = () => this.server?.kill('SIGCONT')

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** Returns an unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
