import type { Rows } from '../../storage/database.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Message } from '../messages/message.ts'
import { hasStatusFlag } from '../../subgraphs/tables/connection-states.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'

interface ConnectionState {
  readonly status: string
  readonly tags: readonly string[]
  readonly readAt: Instant
  /** Whether the state was used since the last refresh. */
  isUsed: boolean
}

const BATCH = 500

/** Cache of connection status and tags, which decide whether an endpoint gets an event of a connection. */
export class ConnectionCache {
  private readonly states = new Map<string, ConnectionState>()

  constructor(
    private readonly db: Rows,
    private readonly clock: Clock,
  ) {}

  /** Loads the connections that are not in the cache. */
  async load(ids: readonly string[]): Promise<void> {
    await this.read([...new Set(ids)].filter((id) => id !== '' && !this.states.has(id)))
  }

  /** Reloads the states that were used since the last refresh and drops the rest. */
  async refresh(): Promise<void> {
    for (const [id, state] of this.states) {
      if (!state.isUsed) this.states.delete(id)
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
    const { connectionId, position, createdAt } = delivery
    if (connectionId === null) return tags === null || position === null
    const isConnectionEvent = storedType.startsWith('connection.')
    const cached = this.states.get(connectionId)
    // A filtered event is never sent later, and the connection may have reconnected right before the event.
    // A state that is older than the message is therefore read again.
    const isStale =
      !isConnectionEvent &&
      cached &&
      !hasStatusFlag(cached.status, 'deliversData') &&
      cached.readAt <= createdAt
    if (!cached || isStale) await this.read([connectionId])
    const state = this.states.get(connectionId) as ConnectionState
    state.isUsed = true
    if (!hasStatusFlag(state.status, 'deliversData') && !isConnectionEvent) return false
    return tags === null || state.tags.some((tag) => tags.includes(tag))
  }

  private async read(ids: readonly string[]): Promise<void> {
    const readAt = this.clock.now()
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH)
      const rows = await this.db.rows<{ id: string; status: string; tags: string | string[] | null }>(
        `SELECT \`id\`, \`status\`, \`tags\` FROM \`connections\` WHERE \`id\` IN (${placeholders(batch.length)})`,
        batch,
      )
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const id of batch)
        this.states.set(id, {
          ...stateOf(found.get(id)),
          readAt,
          isUsed: this.states.get(id)?.isUsed ?? true,
        })
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
