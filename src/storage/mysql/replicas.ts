import type { TimeLimit } from '../timeouts.ts'
import type { Replica } from '../store.ts'
import { classifyError } from './error-classifier.ts'
import type { Server } from './server.ts'

/** Time for which a replica is skipped after it failed. */
const SKIP_MS = 3000

/** Share of the time limit for which a read waits for a replica. The primary is tried next. */
const TIME_SHARE = 0.5

class ReplicaState implements Replica {
  private skippedUntil = 0

  constructor(private readonly server: Server) {}

  get isAvailable(): boolean {
    return performance.now() >= this.skippedUntil
  }

  async rows(sql: string, parameters: readonly unknown[], limit: TimeLimit): Promise<unknown[] | null> {
    try {
      return await this.server.rows(sql, parameters, limit.statementMs * TIME_SHARE)
    } catch (error) {
      if (classifyError(error) === null) throw error
      this.skippedUntil = performance.now() + SKIP_MS
      return null
    }
  }
}

/** Returns a function that selects the available replicas in turn. */
export function replicasOf(servers: readonly Server[]): () => Replica | null {
  const replicas = servers.map((server) => new ReplicaState(server))
  let nextIndex = 0
  return () => {
    const available = replicas.filter(({ isAvailable }) => isAvailable)
    return available.length === 0 ? null : (available[nextIndex++ % available.length] as Replica)
  }
}
