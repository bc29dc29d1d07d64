import { type Home, ServiceProcess } from '../support/service-process.ts'
import { residentBytes } from '../support/process-memory.ts'

/** Settings of the service. The limits are the defaults, and the encryption key is that of the factories. */
const SETTINGS = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  DEMO: 'off',
  LOG_LEVEL: 'error',
  PROVIDER_ALLOW: '127.0.0.1',
  RATE_LIMIT_APPLICATION: '3000000',
  RATE_LIMIT_ADDRESS: '60',
}

/** The service under attack: one process, or two gateways and a worker. */
export class Deployment implements AsyncDisposable {
  private constructor(private readonly parts: ReadonlyMap<string, ServiceProcess>) {}

  static async start(home: Home, gateways: number): Promise<Deployment> {
    const names = gateways === 1 ? ['all'] : ['gateway 1', 'gateway 2', 'worker']
    const parts = new Map(
      names.map((name) => [name, ServiceProcess.spawn(home, ['--role', name.split(' ')[0]!], SETTINGS)]),
    )
    const deployment = new Deployment(parts)
    try {
      await Promise.all([...parts.values()].map((part) => part.becomesReady()))
      return deployment
    } catch (error) {
      await deployment[Symbol.asyncDispose]()
      throw error
    }
  }

  /** URLs of the gateways. */
  get urls(): string[] {
    return [...this.parts].filter(([name]) => name !== 'worker').map(([, { ready }]) => ready.url)
  }

  /** Returns the processes that have ended, with the end of their output. */
  ended(): string[] {
    return [...this.parts]
      .filter(([, part]) => !isRunning(part))
      .map(([name, part]) => `${name} ended: ${part.output().slice(-1000)}`)
  }

  /** Returns the resident memory of each process that runs. */
  memory(): Map<string, number> {
    const running = [...this.parts].filter(([, part]) => isRunning(part))
    return new Map(running.map(([name, { child }]) => [name, residentBytes(child.pid)]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.parts.values()].map((part) => part.end('SIGKILL')))
  }
}

const isRunning = ({ child }: ServiceProcess): boolean => child.exitCode === null && child.signalCode === null
