import type { Rows } from '../../storage/database.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Message } from '../messages/message.ts'
import { holds } from '../../subgraphs/tables/connection-states.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'

interface State {
  readonly status: string
  readonly tags: readonly string[]
  readonly readAt: Instant
  /** Whether it was asked for since it was last read. */
  isUsed: boolean
}

const AT_ONCE = 500

/** What decides whether events of connections are sent, as it was a moment ago. */
export class ConnectionCache {
  private readonly known = new Map<string, State>()

  constructor(
    private readonly db: Rows,
    private readonly clock: Clock,
  ) {}

  /** Reads those that are not known yet. */
  async load(ids: readonly string[]): Promise<void> {
    await this.read([...new Set(ids)].filter((id) => id !== '' && !this.known.has(id)))
  }

  /** Reads all anew that were asked for, and forgets the others. */
  async refresh(): Promise<void> {
    for (const [id, state] of this.known) {
      if (!state.isUsed) this.known.delete(id)
      state.isUsed = false
    }
    await this.read([...this.known.keys()])
  }

  /** A test belongs to no connection, and is sent whatever is filtered. */
  async isWanted(
    { tags }: Pick<WebhookEndpoint, 'tags'>,
    { delivery, storedType }: Message,
  ): Promise<boolean> {
    const { connectionId, position, createdAt } = delivery
    if (connectionId === null) return tags === null || position === null
    const isOfItself = storedType.startsWith('connection.')
    const known = this.known.get(connectionId)
    // What is left out is left out for good: it may have been connected again right before this happened.
    const isStale = !isOfItself && known && !holds(known.status, 'tellsData') && known.readAt <= createdAt
    if (!known || isStale) await this.read([connectionId])
    const state = this.known.get(connectionId) as State
    state.isUsed = true
    if (!holds(state.status, 'tellsData') && !isOfItself) return false
    return tags === null || state.tags.some((tag) => tags.includes(tag))
  }

  private async read(ids: readonly string[]): Promise<void> {
    const readAt = this.clock.now()
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE)
      const rows = await this.db.rows<{ id: string; status: string; tags: string | string[] | null }>(
        `SELECT \`id\`, \`status\`, \`tags\` FROM \`connections\` WHERE \`id\` IN (${placeholders(some.length)})`,
        some,
      )
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const id of some)
        this.known.set(id, {
          ...stateOf(found.get(id)),
          readAt,
          isUsed: this.known.get(id)?.isUsed ?? true,
        })
    }
  }
}

function stateOf(
  row: { status: string; tags: string | string[] | null } | undefined,
): Pick<State, 'status' | 'tags'> {
  if (!row) return { status: 'deleted', tags: [] }
  const tags = typeof row.tags === 'string' ? (JSON.parse(row.tags) as string[]) : (row.tags ?? [])
  return { status: row.status, tags }
}
