import { setTimeout as wait } from 'node:timers/promises'
import { type Home, makeHome, ServiceProcess, type Store } from '../../prove/support/service-process.ts'

export const METRICS_TOKEN = 'a-token-that-only-prometheus-has'

/** A running service with a fleet of its own; disposal stops it. */
export class ObservedService implements AsyncDisposable {
  private constructor(
    private readonly home: Home,
    readonly service: ServiceProcess,
  ) {}

  static async start(
    store: Store,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ObservedService> {
    const home = await makeHome(store)
    const quiet = {
      LOCATION_POLL_SECONDS: '1',
      LOG_LEVEL: 'debug',
      METRICS_TOKEN,
      DEMO: 'on',
      ...environment,
    }
    const service = await ServiceProcess.start(home, ['--fleet-size', '10'], quiet)
    return new ObservedService(home, service)
  }

  /** Returns the log lines so far. */
  lines(): Record<string, unknown>[] {
    return this.service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  /** Waits for log lines with this message and these members. */
  lined(msg: string, members: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>[]> {
    const has = (line: Record<string, unknown>) =>
      Object.entries(members).every(([name, value]) => line[name] === value)
    return until(() => {
      const found = this.lines().filter((line) => line['msg'] === msg && has(line))
      return found.length > 0 ? found : null
    })
  }

  async metrics(): Promise<string> {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    return (await fetch(`${this.service.ready.url}/metrics`, { headers })).text()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.end('SIGKILL')
    await this.home.remove()
  }
}

const PATIENCE_MS = 30_000

/** Polls until the result is not null. */
export async function until<T>(ask: () => T | null | Promise<T | null>): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (Date.now() > end) throw new Error('condition not met in time')
    await wait(50)
  }
}
