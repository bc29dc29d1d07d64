import { LRUCache } from 'lru-cache'
import type { Rows } from '../../storage/database.ts'
import { EventRow } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, oneOf } from '../../storage/sql/where.ts'
import { storedTypes } from '../../subgraphs/events/event-types.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { ConnectionCache } from '../worker/connection-cache.ts'
import { type PayloadBuilder, type MessagePayload, buildPayloads } from './build-payloads.ts'

const log = tableOf(EventRow)

/** Maximum number of log positions that one read searches: matching events may be rare. */
const MAX_SCANNED = 20_000
/** Number of windows in the cache, and their lifetime: several endpoints often read the same window. */
const MAX_CACHED = 20
const CACHE_TTL_MS = 5000

export interface WindowEntry {
  readonly entry: EventRow
  readonly payload: MessagePayload
}

/** Range of the log: the events that match the filters of an endpoint, and the last position of the range. */
export interface LogWindow {
  readonly entries: readonly WindowEntry[]
  readonly lastPosition: number
}

/** Reads windows of the log. Endpoints with the same filters at the same position share the window. */
export class LogWindowReader {
  private readonly cache = new LRUCache<string, Promise<LogWindow>>({ max: MAX_CACHED, ttl: CACHE_TTL_MS })

  constructor(
    private readonly db: Rows,
    private readonly bodies: PayloadBuilder,
    private readonly connections: Pick<ConnectionCache, 'reload'>,
  ) {}

  /** Window after a position, up to an end of the log. Null if there are no events between them. */
  async between(
    endpoint: WebhookEndpoint,
    position: number,
    end: number,
    limit: number,
  ): Promise<LogWindow | null> {
    if (end <= position) return null
    const to = Math.min(end, position + MAX_SCANNED)
    const { applicationId, types, connectionIds } = endpoint
    const key = JSON.stringify([applicationId, position, to, limit, types, connectionIds])
    const cached = this.cache.get(key)
    if (cached) return cached
    const window = this.read(endpoint, { position, to, limit })
    this.cache.set(key, window)
    window.catch(() => this.cache.delete(key))
    return window
  }

  private async read(
    { applicationId, types, connectionIds }: WebhookEndpoint,
    { position, to, limit }: { position: number; to: number; limit: number },
  ): Promise<LogWindow> {
    const wanted = storedTypes(types)
    if (wanted.length === 0) return { entries: [], lastPosition: to }
    const where = and(
      {
        sql: '`applicationId` = ? AND `position` > ? AND `position` <= ?',
        parameters: [applicationId, position, to],
      },
      oneOf('type', wanted),
      oneOf('connectionId', connectionIds),
    )
    const rows = await this.db.rows<Record<string, unknown>>(
      `SELECT ${log.selected} FROM \`${log.name}\` WHERE ${where.sql} ORDER BY \`position\` LIMIT ${limit}`,
      where.parameters,
    )
    const entries = rows.map((row) => log.toRow(row))
    await this.connections.reload(entries.map((entry) => entry.connectionId))
    const bodies = await buildPayloads(this.bodies, entries, types)
    const last = entries.at(-1)
    return {
      entries: entries.map((entry, index) => ({ entry, payload: bodies[index] as MessagePayload })),
      lastPosition: entries.length === limit && last ? Number(last.position) : to,
    }
  }
}
