import { lastingPort, Part } from '../support/distributed-service.ts'
import { type Home, ServiceProcess } from '../support/service-process.ts'
import type { SupervisedService } from '../chaos/supervisor.ts'

/** Processes that faults kill. Each purchase may go to any of the gateways. */
export const gateways = ['gateway', 'split-gateway'] as const
const SUBGRAPH = 'subgraph:purchases'
const processes = [...gateways, SUBGRAPH, 'worker'] as const

/**
 * Two gateways, each with a database connection and running checks of its own: one checks purchases itself, the other
 * one by a subgraph in another process. A worker assigns the positions of events.
 */
export class CheckingService implements SupervisedService, AsyncDisposable {
  private constructor(readonly parts: ReadonlyMap<string, Part>) {}

  static async start(home: Home, environment: Readonly<Record<string, string>>): Promise<CheckingService> {
    const ports = new Map<string, number>()
    for (const name of processes) ports.set(name, await lastingPort())
    const addressOf = (name: string) => `http://127.0.0.1:${ports.get(name)}`
    const remote = { SUBGRAPH_URLS: `purchases=${addressOf(SUBGRAPH)}/graphql` }
    const spawn = (name: string) => () =>
      ServiceProcess.spawn(
        home,
        ['--role', name.replace('split-', ''), '--port', String(ports.get(name))],
        name === 'split-gateway' ? { ...environment, ...remote } : environment,
      )
    const service = new CheckingService(
      new Map(processes.map((name) => [name, new Part(name, addressOf(name), spawn(name))])),
    )
    try {
      await Promise.all([...service.parts.values()].map((part) => part.process.becomesReady()))
      return service
    } catch (error) {
      await service[Symbol.asyncDispose]()
      throw error
    }
  }

  /** URLs of the gateways. */
  get urls(): string[] {
    return gateways.map((name) => this.parts.get(name)!.address)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.parts.values()].map(({ process }) => process.end('SIGKILL')))
  }
}
