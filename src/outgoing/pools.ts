import { Pool } from 'undici'
import { type Connecting, guardedConnector } from './connector.ts'

/** How many requests may be under way to one origin: one that is slow holds up itself. */
const CONNECTIONS = 256
/** How long connections to an origin are used until it is connected to, and judged, anew. */
const LIFETIME_MS = 60_000
const HEADER_BYTES = 16_384

/** The connections to each origin. */
export class Pools {
  private readonly young = new Map<string, Pool>()
  private readonly open = new Set<Pool>()
  private readonly connect

  constructor(connecting: Connecting) {
    this.connect = guardedConnector(connecting)
  }

  of(origin: string): Pool {
    return this.young.get(origin) ?? this.add(origin)
  }

  async close(): Promise<void> {
    await Promise.all([...this.open].map((pool) => this.end(pool, () => pool.destroy())))
    this.young.clear()
  }

  private add(origin: string): Pool {
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      connect: this.connect,
      pipelining: 1,
      // The time of an exchange is measured as a whole.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: LIFETIME_MS,
      maxHeaderSize: HEADER_BYTES,
    })
    this.young.set(origin, pool)
    this.open.add(pool)
    setTimeout(() => this.retire(origin, pool), LIFETIME_MS).unref()
    return pool
  }

  /** What is under way on its connections is finished. */
  private retire(origin: string, pool: Pool): void {
    if (this.young.get(origin) === pool) this.young.delete(origin)
    if (!pool.closed && !pool.destroyed) void this.end(pool, () => pool.close())
  }

  private async end(pool: Pool, how: () => Promise<void>): Promise<void> {
    await how().catch(() => undefined)
    this.open.delete(pool)
  }
}
