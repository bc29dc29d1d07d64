import { Client } from 'undici'
import { type ConnectorOptions, guardedConnector } from './guarded-connector.ts'
import { OriginPool } from './origin-pool.ts'

/** How long connections to an origin are used until it is connected to, and judged, anew. */
const LIFETIME_MS = 60_000
const HEADER_BYTES = 16_384

/** The connections to each origin. */
export class OriginPools {
  private readonly young = new Map<string, OriginPool>()
  private readonly open = new Set<OriginPool>()
  private readonly connect

  constructor(
    connecting: ConnectorOptions,
    private readonly lifetimeMs = LIFETIME_MS,
  ) {
    this.connect = guardedConnector(connecting)
  }

  to(origin: string): OriginPool {
    const known = this.young.get(origin)
    if (known) return known
    const lane = new OriginPool(
      () => this.clientOf(origin),
      (ended) => this.open.delete(ended),
    )
    this.young.set(origin, lane)
    this.open.add(lane)
    setTimeout(() => this.retire(origin, lane), this.lifetimeMs).unref()
    return lane
  }

  async close(): Promise<void> {
    this.young.clear()
    await Promise.all([...this.open].map((lane) => lane.destroy()))
    this.open.clear()
  }

  private retire(origin: string, lane: OriginPool): void {
    if (this.young.get(origin) === lane) this.young.delete(origin)
    if (this.open.has(lane)) lane.retire()
  }

  private clientOf(origin: string): Client {
    return new Client(origin, {
      connect: this.connect,
      // The time of an exchange is measured as a whole.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: LIFETIME_MS,
      maxHeaderSize: HEADER_BYTES,
    })
  }
}
