import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Message } from '../messages/message.ts'
import { hasStatusFlag } from '../../subgraphs/tables/connection-states.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'

interface ConnectionState {
  readonly status: string
  readonly tags: readonly string[]
  /** Number of the read. A later read has begun later. */
  readonly read: number
  /** Whether the state was used since the last refresh. */
  isUsed: boolean
}

const BATCH = 500

/**
 * Cache of connection status and tags, which decide whether an endpoint gets an event of a connection. A state
 * in the cache is only ever replaced by a later one.
 */
export class ConnectionCache {
  private readonly states = new Map<string, ConnectionState>()
  private reads = 0
  /** Number of the last read that began before states were dropped. Such a read may be older than a dropped state. */
  private readsBeforeDrop = 0

  constructor(private readonly db: Rows) {}

  /**
   * Reads the states of connections. Readers of events and of due deliveries call it after their read. Messages
   * are therefore judged by states that are no older than they are.
   */
  async reload(ids: readonly (string | null)[]): Promise<void> {
    const distinct = [...new Set(ids)].filter((id): id is string => id !== null && id !== '')
    await this.read(distinct)
    for (const id of distinct) {
      const state = this.states.get(id)
      if (state) state.isUsed = true
    }
  }

  /** Reloads the states that were used since the last refresh and drops the rest. */
  async refresh(): Promise<void> {
    for (const [id, state] of this.states) {
      if (!state.isUsed) {
        this.states.delete(id)
        this.readsBeforeDrop = this.reads
      }
      state.isUsed = false
    }
    await this.read([...this.states.keys()])
  }

  /**
   * Whether an endpoint gets a message. An event without a connection reaches only endpoints without a tag
   * filter; a test message, which has no log position, reaches every endpoint.
   */
  async isWanted(
    { tags }: Pick<WebhookEndpoint, 'tags'>,
    { delivery, storedType }: Message,
  ): Promise<boolean> {
    const { connectionId, position } = delivery
    if (connectionId === null) return tags === null || position === null
    const isConnectionEvent = storedType.startsWith('connection.')
    while (!this.states.has(connectionId)) await this.read([connectionId])
    const state = this.states.get(connectionId) as ConnectionState
    state.isUsed = true
    if (!hasStatusFlag(state.status, 'deliversData') && !isConnectionEvent) return false
    return tags === null || state.tags.some((tag) => tags.includes(tag))
  }

  private async read(ids: readonly string[]): Promise<void> {
    const read = ++this.reads
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH)
      const rows = await this.db.rows<{ id: string; status: string; tags: string | string[] | null }>(
        `SELECT \`id\`, \`status\`, \`tags\` FROM \`connections\` WHERE \`id\` IN (${placeholders(batch.length)})`,
        batch,
      )
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const id of batch) {
        const cached = this.states.get(id)
        if ((cached?.read ?? this.readsBeforeDrop) >= read) continue
        this.states.set(id, { ...stateOf(found.get(id)), read, isUsed: cached?.isUsed ?? true })
      }
    }
  }
}

function stateOf(
  row: { status: string; tags: string | string[] | null } | undefined,
): Pick<ConnectionState, 'status' | 'tags'> {
  if (!row) return { status: 'deleted', tags: [] }
  const tags = typeof row.tags === 'string' ? (JSON.parse(row.tags) as string[]) : (row.tags ?? [])
  return { status: row.status, tags }
}
