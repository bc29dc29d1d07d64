import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { SandboxProcess } from './sandbox-process.ts'
import { type Home, type Ready, type RunningService, ServiceProcess } from './service-process.ts'

/** Names of the processes of a distributed service. */
export const partNames = [
  'gateway',
  'worker-1',
  'worker-2',
  'subgraph:connections',
  'subgraph:fleet',
  'subgraph:records',
  'subgraph:telemetry',
  'subgraph:events',
  'subgraph:purchases',
] as const

export type PartName = (typeof partNames)[number]

type Environment = Readonly<Record<string, string>>

/** One process of a service, which can be killed and restarted at its address. */
export class Part {
  private current: ServiceProcess
  private before = ''

  constructor(
    readonly name: string,
    /** Address of the process; a restart keeps it. */
    readonly address: string,
    private readonly spawn: () => ServiceProcess,
  ) {
    this.current = spawn()
  }

  get process(): ServiceProcess {
    return this.current
  }

  /** Whether the operating system still runs the process. */
  get isRunning(): boolean {
    const { exitCode, signalCode } = this.current.child
    return exitCode === null && signalCode === null
  }

  /** Returns the output of all its runs. */
  output = (): string => this.before + this.current.output()

  /** Restarts the process without a wait until it is ready. */
  again(): ServiceProcess {
    this.before += this.current.output()
    this.current = this.spawn()
    return this.current
  }
}

/** A gateway over six subgraphs, with two workers and the provider; each is a separate process. */
export class DistributedService implements RunningService {
  private constructor(
    readonly parts: ReadonlyMap<PartName, Part>,
    readonly ready: Ready,
    private readonly sandbox: SandboxProcess | null,
  ) {}

  /** Starts all parts at once, each also in an environment of its own. Without a `SANDBOX_URL` it starts a provider. */
  static async start(
    home: Home,
    options: readonly string[] = [],
    environment: Environment = {},
    environmentOf: (part: PartName) => Environment = () => ({}),
  ): Promise<DistributedService> {
    const sandbox = environment['SANDBOX_URL'] === undefined ? await SandboxProcess.start() : null
    const shared = {
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      ...(sandbox ? { SANDBOX_URL: sandbox.url } : {}),
      ...environment,
    }
    const parts = await spawnParts(home, options, shared, environmentOf)
    try {
      await Promise.all([...parts.values()].map((part) => part.process.becomesReady()))
      return new DistributedService(parts, part(parts, 'gateway').process.ready, sandbox)
    } catch (error) {
      await Promise.all([...parts.values()].map((started) => started.process.end('SIGKILL')))
      await sandbox?.[Symbol.asyncDispose]()
      throw error
    }
  }

  part = (name: PartName): Part => part(this.parts, name)

  output = (): string => [...this.parts.values()].map(({ output }) => output()).join('')

  headers(): Record<string, string> {
    return this.part('gateway').process.headers()
  }

  graphql<Data>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Data> {
    return this.part('gateway').process.graphql(query, variables)
  }

  rest<Body>(path: string): Promise<Body> {
    return this.part('gateway').process.rest(path)
  }

  /** Ends the gateway first and then its subgraphs. Returns the worst exit code. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const gateway = await this.part('gateway').process.end(signal)
    const others = await Promise.all([...this.parts.values()].map(({ process }) => process.end(signal)))
    await this.sandbox?.[Symbol.asyncDispose]()
    const codes = [gateway, ...others]
    return codes.includes(null) ? null : Math.max(...codes.map(Number))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL')
  }
}

function part(parts: ReadonlyMap<PartName, Part>, name: PartName): Part {
  const found = parts.get(name)
  if (!found) throw new Error(`the service has no part ${name}`)
  return found
}

async function spawnParts(
  home: Home,
  options: readonly string[],
  shared: Environment,
  environmentOf: (part: PartName) => Environment,
): Promise<Map<PartName, Part>> {
  const ports = new Map<PartName, number>()
  for (const name of partNames) ports.set(name, await lastingPort())
  const urls = partNames
    .filter((name) => name.startsWith('subgraph:'))
    .map((name) => `${name.slice('subgraph:'.length)}=http://127.0.0.1:${ports.get(name)}/graphql`)
  const spawn = (name: PartName) => () => {
    const role = name.replace(/-\d$/, '')
    const ofRole: Environment = role === 'gateway' ? { SUBGRAPH_URLS: urls.join(',') } : {}
    return ServiceProcess.spawn(home, [...options, '--role', role, '--port', String(ports.get(name))], {
      ...shared,
      ...ofRole,
      ...environmentOf(name),
    })
  }
  const addressOf = (name: PartName) => `http://127.0.0.1:${ports.get(name)}`
  return new Map(partNames.map((name) => [name, new Part(name, addressOf(name), spawn(name))]))
}

/** The operating system assigns higher ports itself, so it could take one while its part is down. */
const MIN_PORT = 10_000
const MAX_PORT = 32_000

/** Returns a port that a restarted part can use again. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT)
    const server = createServer().listen(port, '127.0.0.1')
    const free = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ])
    server.close()
    if (free) return port
  }
}
