import { readFileSync, writeFileSync } from 'node:fs'
import type { Database } from '../../../src/storage/database.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { Caller } from '../deletion/caller.ts'
import { ahead, forgetClockOf } from '../retry-schedule/jumping-clock.ts'
import { type Home, ServiceProcess } from '../support/service-process.ts'

/** URL of each provider, by its code. */
export type Urls = ReadonlyMap<string, string>

const LOOPBACK = '127.0.0.1'
const POLL_SECONDS = '2'
/** A long interval: only requested syncs run. */
const SELDOM_MINUTES = '10080'

const settingsFor = (urls: Urls): Readonly<Record<string, string>> => ({
  DEMO: 'off',
  LOG_LEVEL: 'warn',
  LOCATION_POLL_SECONDS: POLL_SECONDS,
  SYNC_INTERVAL_MINUTES: SELDOM_MINUTES,
  // Providers that are not listed have their own address in the credentials.
  PROVIDER_URLS: [...urls]
    .filter(([provider]) => provider !== 'traccar')
    .map(([provider, url]) => `${provider}=${url}`)
    .join(),
  PROVIDER_ALLOW: LOOPBACK,
  PROVIDER_HTTP: 'on',
})

/** Creates the integrator's application. Returns its key. */
export async function makeIntegrator(db: Database): Promise<string> {
  await db.migrate()
  const input = { name: 'Ridgeline Dispatch', environment: 'sandbox', now: Date.now() } as const
  return (await createApplication(db, input)).secretKey
}

/**
 * The service as an operator runs it: one process on the embedded database, otherwise a gateway and a worker.
 */
export class Stage implements AsyncDisposable {
  private constructor(
    private readonly parts: readonly ServiceProcess[],
    readonly caller: Caller,
    /** Difference of its clock to this machine's. */
    readonly aheadMs: number,
  ) {}

  static async start(home: Home, secretKey: string, urls: Urls, aheadMs: number): Promise<Stage> {
    const settings = { ...settingsFor(urls), ...(aheadMs > 0 ? ahead(aheadMs) : {}) }
    const roles = home.store === 'sqlite' ? ['all'] : ['gateway', 'worker']
    const parts = roles.map((role) => ServiceProcess.spawn(home, ['--role', role], settings))
    try {
      const [first] = await Promise.all(parts.map((part) => part.becomesReady()))
      if (!first) throw new Error('the service is not running')
      return new Stage(parts, new Caller({ ...first, secretKey }), aheadMs)
    } catch (error) {
      await Promise.all(parts.map((part) => part.end('SIGKILL')))
      throw error
    }
  }

  get now(): number {
    return Date.now() + this.aheadMs
  }

  /** Returns the log output; it is empty if nothing fails. */
  logged = (): string => this.parts.map(({ output }) => output()).join('')

  /** Resets the memory peak of the worker. */
  forgetMemory(): void {
    writeFileSync(`/proc/${this.worker}/clear_refs`, '5')
  }

  /** Returns the worker's memory peak since the reset. */
  mostMegabytes(): number {
    const status = readFileSync(`/proc/${this.worker}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
  }

  private get worker(): number {
    return this.parts.at(-1)?.child.pid ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.parts.map((part) => part.end()))
    for (const { child } of this.parts) forgetClockOf(child.pid)
  }
}
