import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { SeededApplication } from '../../support/factories.ts'

export interface FloodRequest {
  readonly name: string
  readonly path: string
  readonly clients: number
}

/** Input of the program that sends the flood. */
export interface FloodInput {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly clients: number
}

export interface FloodResult {
  readonly perSecond: number
  readonly failed: number
}

/** Clients that send one request after the other, in a process of their own. */
export class Flood {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts the clients, and waits for the first response. */
  static async start(
    restUrl: string,
    { secretKey, connections: [connection] }: SeededApplication,
    { path, clients }: FloodRequest,
  ): Promise<Flood> {
    const child = fork(join(process.cwd(), 'dist/test/prove/fairness/flood-program.js'))
    // The clients must not take the processor from the probe, which measures.
    setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL)
    const headers = { authorization: `Bearer ${secretKey}`, 'connection-token': connection!.token }
    child.send({ url: restUrl + path, headers, clients } satisfies FloodInput)
    await once(child, 'message')
    return new Flood(child)
  }

  async stop(): Promise<FloodResult> {
    this.child.send('stop')
    const [result] = (await once(this.child, 'message')) as [FloodResult]
    this.child.disconnect()
    return result
  }
}
