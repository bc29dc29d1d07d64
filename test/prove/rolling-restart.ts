import { Agent, get } from 'node:http'
import { proofOnStores } from './proof.ts'
import { ReadyProxy } from './support/ready-proxy.ts'
import { makeHome, ServiceProcess } from './support/service-process.ts'

/** Restarts gateways one after the other under load. No request may fail. */
export const rollingRestart = proofOnStores(
  {
    name: 'rolling-restart',
    description:
      'two gateways behind a load balancer are restarted in turn under load: no request fails (MariaDB)',
    options: {
      restarts: { preset: 4, short: 2, description: 'number of gateway stops' },
      clients: { preset: 10, description: 'number of callers, on keep-alive connections' },
      drain: { preset: 3, description: 'seconds that a gateway serves after the stop signal' },
    },
  },
  (store, { restarts, clients, drain }) =>
    store === 'mariadb' ? prove(restarts, clients, drain) : Promise.resolve([]),
)

async function prove(restarts: number, clients: number, drain: number): Promise<string[]> {
  const home = await makeHome('mariadb')
  const environment = {
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    DRAIN_SECONDS: String(drain),
    LOG_LEVEL: 'error',
  }
  const quiet = { ...environment, DEMO: 'off' }
  const running: ServiceProcess[] = []
  const start = async (variables: Readonly<Record<string, string>>) => {
    const gateway = await ServiceProcess.start(home, ['--role', 'gateway', '--fleet-size', '5'], variables)
    running.push(gateway)
    return gateway
  }
  await using proxy = await ReadyProxy.start()
  try {
    const first = await start(environment)
    const headers = first.headers()
    for (const { ready } of [first, await start(quiet)]) await proxy.add(ready.url)
    const load = new Load(`${proxy.url}/tsp/v1/vehicles?limit=5`, headers, clients)
    const codes: (number | null)[] = []
    for (let restart = 0; restart < restarts; restart++) {
      const leaving = running.shift() as ServiceProcess
      const ended = leaving.end('SIGTERM')
      leaving.child.kill('SIGTERM')
      codes.push(await ended)
      proxy.remove(leaving.ready.url)
      await proxy.add((await start(quiet)).ready.url)
    }
    return verdict(await load.end(), codes)
  } finally {
    for (const gateway of running) await gateway.end('SIGKILL')
    await home.remove()
  }
}

interface CheckResults {
  readonly answered: number
  readonly failures: readonly string[]
}

function verdict({ answered, failures }: CheckResults, codes: readonly (number | null)[]): string[] {
  console.log(`${answered} requests answered, ${failures.length} failed; exit codes ${codes.join(', ')}`)
  const few = answered < codes.length * 100
  return [
    ...[...new Set(failures)].map((failure) => `requests failed: ${failure}`),
    ...(codes.every((code) => code === 0) ? [] : [`gateways ended with ${codes.join(', ')}`]),
    ...(few ? ['there was no load to speak of'] : []),
  ]
}

/** Callers that repeat requests on keep-alive connections. They retry nothing. */
class Load {
  private answered = 0
  private readonly failures: string[] = []
  private ending = false
  private readonly agent: Agent
  private readonly callers: readonly Promise<void>[]

  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
    clients: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: clients })
    this.callers = Array.from({ length: clients }, () => this.call())
  }

  async end(): Promise<CheckResults> {
    this.ending = true
    await Promise.all(this.callers)
    this.agent.destroy()
    return { answered: this.answered, failures: this.failures }
  }

  private async call(): Promise<void> {
    while (!this.ending) {
      const status = await this.ask().catch((error: Error & { code?: string }) => error.code ?? error.message)
      if (status === 200) this.answered += 1
      else this.failures.push(String(status))
    }
  }

  private ask(): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const request = get(this.url, { agent: this.agent, headers: this.headers }, (answer) => {
        answer
          .on('error', reject)
          .on('end', () => resolve(answer.statusCode))
          .resume()
      })
      request.on('error', reject)
    })
  }
}
