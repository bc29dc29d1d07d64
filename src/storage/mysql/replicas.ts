import type { TimeLimit } from '../timeouts.ts'
import type { Replica } from '../store.ts'
import { classifyError } from './error-classifier.ts'
import type { Server } from './server.ts'

/** How long a replica that did not answer is left out. */
const LEFT_OUT_MS = 3000

/** What is left of the time is the primary's. */
const SHARE = 0.5

class ReplicaState implements Replica {
  private leftOutUntil = 0

  constructor(private readonly server: Server) {}

  get isAlive(): boolean {
    return performance.now() >= this.leftOutUntil
  }

  async rows(sql: string, parameters: readonly unknown[], limit: TimeLimit): Promise<unknown[] | null> {
    try {
      return await this.server.rows(sql, parameters, limit.statementMs * SHARE)
    } catch (error) {
      if (classifyError(error) === null) throw error
      this.leftOutUntil = performance.now() + LEFT_OUT_MS
      return null
    }
  }
}

/** Gives the living ones in turn. */
export function replicasOf(servers: readonly Server[]): () => Replica | null {
  const followers = servers.map((server) => new ReplicaState(server))
  let turn = 0
  return () => {
    const alive = followers.filter(({ isAlive }) => isAlive)
    return alive.length === 0 ? null : (alive[turn++ % alive.length] as Replica)
  }
}
