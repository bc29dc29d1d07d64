import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Maximum wait for requests in flight when the server closes. */
const MAX_DRAIN_MS = 10_000
const POLL_INTERVAL_MS = 50

/**
 * Graceful shutdown of the HTTP server. While it drains, the server reports that it is not ready, but keeps serving.
 * Each response closes its connection. Load balancers thus have time to choose other servers. Then the server finishes
 * the requests in flight and closes.
 */
export class GracefulShutdown {
  private hasBegun = false

  constructor(
    private readonly app: FastifyInstance,
    private readonly graceMs: number,
  ) {
    app.addHook('onRequest', (_request, reply, done) => {
      if (this.hasBegun) void reply.header('connection', 'close')
      done()
    })
  }

  readonly isDraining = (): boolean => this.hasBegun

  /** Begins to drain. Resolves after the grace period. */
  async begin(): Promise<void> {
    this.hasBegun = true
    if (this.graceMs > 0) await wait(this.graceMs)
  }

  /**
   * Closes the server. Closes connections as soon as they are idle, and all of them after the maximum wait.
   */
  async close(): Promise<void> {
    this.hasBegun = true
    const { server } = this.app
    const idleTimer = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS)
    const deadline = setTimeout(() => server.closeAllConnections(), MAX_DRAIN_MS)
    try {
      await this.app.close()
    } finally {
      clearInterval(idleTimer)
      clearTimeout(deadline)
    }
  }
}
