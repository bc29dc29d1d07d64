import { LRUCache } from 'lru-cache'
import { PublicError } from '../../../domain/errors.ts'
import type { Clock, Instant } from '../../../domain/time.ts'
import type { Logger } from '../../../platform/logging/log.ts'
import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { Deadline, logFailure } from '../deadline.ts'
import { CardNetworkEndpoint } from './card-network-endpoint.ts'

/** Dependencies of the lookup. */
export interface EndpointLookupDeps {
  readonly db: Rows
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  /** Time to read an endpoint. Default: 300 ms. */
  readonly endpointReadMs?: number
}

interface KnownEndpoint {
  readonly endpoint: CardNetworkEndpoint
  readonly readAt: Instant
}

const table = tableOf(CardNetworkEndpoint)
/** A change of an endpoint applies within this time. */
const FRESH_MS = 3000
const READ_MS = 300
const MAX_KNOWN = 10_000

/** Lookup of endpoints by their ids. It knows the endpoints of earlier messages while the database is away. */
export class EndpointLookup {
  private readonly known = new LRUCache<string, KnownEndpoint>({ max: MAX_KNOWN })

  constructor(private readonly deps: EndpointLookupDeps) {}

  /** Returns an endpoint; null if there is none. Throws if the database fails and the endpoint is not known. */
  async find(id: string): Promise<CardNetworkEndpoint | null> {
    const { clock, log, endpointReadMs = READ_MS } = this.deps
    const known = this.known.get(id)
    const now = clock.now()
    if (known && now - known.readAt < FRESH_MS) return known.endpoint
    const found = await new Deadline(endpointReadMs).settle(this.read(id))
    logFailure(log, found, 'card network endpoint read failed')
    if (!found.isDone && known) return known.endpoint
    if (!found.isDone)
      throw new PublicError('service_unavailable', 'The endpoint could not be read in time.', {
        retryAfterSeconds: 1,
      })
    const endpoint = found.value ?? null
    if (endpoint) this.known.set(id, { endpoint, readAt: now })
    else this.known.delete(id)
    return endpoint
  }

  private async read(id: string): Promise<CardNetworkEndpoint | null> {
    const [row] = await this.deps.db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`card_network_endpoints\` WHERE \`id\` = ?`,
      [id],
    )
    return row ? table.toRow(row) : null
  }
}
