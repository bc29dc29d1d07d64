import { Client } from 'undici'
import { type ConnectorOptions, guardedConnector } from './guarded-connector.ts'
import { OriginPool } from './origin-pool.ts'

/** Lifetime of a pool; a new connection checks the address again. */
const LIFETIME_MS = 60_000
const HEADER_BYTES = 16_384

/** Connection pools by origin. */
export class OriginPools {
  private readonly current = new Map<string, OriginPool>()
  private readonly all = new Set<OriginPool>()
  private readonly connect

  constructor(
    options: ConnectorOptions,
    private readonly lifetimeMs = LIFETIME_MS,
  ) {
    this.connect = guardedConnector(options)
  }

  poolFor(origin: string): OriginPool {
    const existing = this.current.get(origin)
    if (existing) return existing
    const pool = new OriginPool(
      () => this.clientOf(origin),
      (pool) => this.all.delete(pool),
    )
    this.current.set(origin, pool)
    this.all.add(pool)
    setTimeout(() => this.retire(origin, pool), this.lifetimeMs).unref()
    return pool
  }

  async close(): Promise<void> {
    this.current.clear()
    await Promise.all([...this.all].map((pool) => pool.destroy()))
    this.all.clear()
  }

  private retire(origin: string, pool: OriginPool): void {
    if (this.current.get(origin) === pool) this.current.delete(origin)
    if (this.all.has(pool)) pool.retire()
  }

  private clientOf(origin: string): Client {
    return new Client(origin, {
      connect: this.connect,
      // The request limits the duration of the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: LIFETIME_MS,
      maxHeaderSize: HEADER_BYTES,
    })
  }
}
