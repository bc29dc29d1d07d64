import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long requests that are still being answered are waited for. */
const MAX_DRAIN_MS = 10_000
const POLL_INTERVAL_MS = 50

/**
 * How a server goes. It says that it is not ready and serves on, each answer the last of its connection, while load
 * balancers take notice; then it closes, once what it has begun is answered.
 */
export class GracefulShutdown {
  private begun = false

  constructor(
    private readonly app: FastifyInstance,
    private readonly graceMs: number,
  ) {
    app.addHook('onRequest', (_request, reply, done) => {
      if (this.begun) void reply.header('connection', 'close')
      done()
    })
  }

  readonly isDraining = (): boolean => this.begun

  /** Settles when whoever sends requests has had time to look elsewhere. */
  async begin(): Promise<void> {
    this.begun = true
    if (this.graceMs > 0) await wait(this.graceMs)
  }

  /** Closes the server. A connection that falls idle is not waited for, nor an answer that takes too long. */
  async close(): Promise<void> {
    this.begun = true
    const { server } = this.app
    const idle = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS)
    const late = setTimeout(() => server.closeAllConnections(), MAX_DRAIN_MS)
    try {
      await this.app.close()
    } finally {
      clearInterval(idle)
      clearTimeout(late)
    }
  }
}
