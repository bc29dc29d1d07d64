import { LRUCache } from 'lru-cache'
import type { Rows } from '../../storage/database.ts'
import { latestPosition, EventRow } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, oneOf } from '../../storage/sql/where.ts'
import { storedTypes } from '../../subgraphs/events/event-types.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import { type PayloadCache, type Payload, createPayloadCache } from './payload-cache.ts'

const log = tableOf(EventRow)

/** So much of the log is searched at once for what an endpoint wants, which may be rare. */
const FURTHEST = 20_000
/** Windows that several endpoints read are kept for a moment. */
const KEPT = 20
const KEPT_MS = 5000

export interface WindowEntry {
  readonly entry: EventRow
  readonly body: Payload
}

/** A stretch of the log as an endpoint asks for it: what it may want, and how far that reaches. */
export interface LogWindow {
  readonly entries: readonly WindowEntry[]
  readonly through: number
}

/** Reads the log for endpoints. Those that ask for the same of one log at the same place share it, bodies and all. */
export class LogWindowReader {
  private readonly kept = new LRUCache<string, Promise<LogWindow>>({ max: KEPT, ttl: KEPT_MS })

  constructor(
    private readonly db: Rows,
    private readonly bodies: PayloadCache,
  ) {}

  /** What comes after a position; null where nothing does. */
  async after(endpoint: WebhookEndpoint, position: number, most: number): Promise<LogWindow | null> {
    const head = await latestPosition(this.db, endpoint.applicationId)
    if (head <= position) return null
    const to = Math.min(head, position + FURTHEST)
    const { applicationId, types, connectionIds } = endpoint
    const key = JSON.stringify([applicationId, position, to, most, types, connectionIds])
    const known = this.kept.get(key)
    if (known) return known
    const read = this.read(endpoint, { position, to, most })
    this.kept.set(key, read)
    read.catch(() => this.kept.delete(key))
    return read
  }

  private async read(
    { applicationId, types, connectionIds }: WebhookEndpoint,
    { position, to, most }: { position: number; to: number; most: number },
  ): Promise<LogWindow> {
    const wanted = storedTypes(types)
    if (wanted.length === 0) return { entries: [], through: to }
    const where = and(
      {
        sql: '`applicationId` = ? AND `position` > ? AND `position` <= ?',
        parameters: [applicationId, position, to],
      },
      oneOf('type', wanted),
      oneOf('connectionId', connectionIds),
    )
    const rows = await this.db.rows<Record<string, unknown>>(
      `SELECT ${log.selected} FROM \`${log.name}\` WHERE ${where.sql} ORDER BY \`position\` LIMIT ${most}`,
      where.parameters,
    )
    const entries = rows.map((row) => log.toRow(row))
    const bodies = await createPayloadCache(this.bodies, entries, types)
    const last = entries.at(-1)
    return {
      entries: entries.map((entry, index) => ({ entry, body: bodies[index] as Payload })),
      through: entries.length === most && last ? Number(last.position) : to,
    }
  }
}
