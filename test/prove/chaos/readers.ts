import type { Client, Credentials } from './client.ts'

/** Last known state of a record, and the number of changes that a reader received. */
export interface Known {
  readonly modifiedAt: string
  readonly deleted: boolean
}

interface Listed {
  readonly id: string
  readonly metadata: { readonly modifiedAt: string; readonly deletedAt?: string | null }
}

/** Reads a page of records modified since a time; null without a response. */
type ReadPage = (since: string, cursor: string | null) => Promise<Page | null>

interface Page {
  readonly rows: readonly Listed[]
  readonly next: string | null
}

/** Replicates records as integrators do: it repeatedly reads records modified since its newest one. */
export class IncrementalReader {
  readonly copy = new Map<string, Known>()
  /** Every received state, as `id modifiedAt`. */
  readonly shown = new Set<string>()
  private newest = '1970-01-01T00:00:00.000Z'

  constructor(
    readonly name: string,
    /** Table and connection of the records that it reads. */
    readonly of: { readonly table: 'vehicles' | 'drivers'; readonly connectionId: string | null },
    private readonly readPage: ReadPage,
  ) {}

  /** Reads to the end of the list. Returns whether it got there. */
  async catchUp(): Promise<boolean> {
    const since = this.newest
    for (let cursor: string | null = null; ;) {
      const page: Page | null = await this.readPage(since, cursor)
      if (!page) return false
      for (const { id, metadata } of page.rows) this.take(id, metadata)
      if (page.next === null) return true
      cursor = page.next
    }
  }

  private take(id: string, { modifiedAt, deletedAt }: Listed['metadata']): void {
    this.shown.add(`${id} ${modifiedAt}`)
    this.copy.set(id, { modifiedAt, deleted: deletedAt != null })
    if (modifiedAt > this.newest) this.newest = modifiedAt
  }
}

const SMALL_PAGE = 25

export const restReader = (
  client: Client,
  credentials: Credentials,
  table: 'vehicles' | 'drivers',
  connectionId: string,
): IncrementalReader =>
  new IncrementalReader(`${table} of ${connectionId}`, { table, connectionId }, async (since, cursor) => {
    const path = `/${table}?modifiedAfter=${since}&deleted=true&hidden=true&limit=${SMALL_PAGE}`
    const answer = await client.rest<{ results: readonly Listed[]; next?: string }>(
      credentials,
      'GET',
      path + (cursor === null ? '' : `&cursor=${cursor}`),
    )
    return answer?.status === 200 ? { rows: answer.body.results, next: answer.body.next ?? null } : null
  })

const ACROSS = `query ($since: DateTime!, $first: Int!, $after: String) {
  vehicles(modifiedAfter: $since, first: $first, after: $after, deleted: true, hidden: true) {
    nodes { id metadata { modifiedAt deletedAt } } pageInfo { hasNextPage endCursor }
  }
}`

interface Across {
  readonly vehicles: {
    readonly nodes: readonly Listed[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  }
}

/** Reads the vehicles of all connections with the secret key alone. */
export const readerAcross = (client: Client, secretKey: string): IncrementalReader =>
  new IncrementalReader('vehicles', { table: 'vehicles', connectionId: null }, async (since, after) => {
    const data = await client.graphql<Across>({ secretKey }, ACROSS, { since, after, first: SMALL_PAGE })
    if (!data) return null
    const { nodes, pageInfo } = data.vehicles
    return { rows: nodes, next: pageInfo.hasNextPage ? pageInfo.endCursor : null }
  })

const LOG = `query ($after: ID) { events(after: $after, first: 200) { nodes { id } } }`

/** Reads the event log from its last event on. */
export class LogReader {
  readonly ids: string[] = []

  constructor(
    private readonly client: Client,
    private readonly secretKey: string,
  ) {}

  async catchUp(): Promise<boolean> {
    for (;;) {
      const data = await this.client.graphql<{ events: { nodes: readonly { id: string }[] } }>(
        { secretKey: this.secretKey },
        LOG,
        { after: this.ids.at(-1) ?? null },
      )
      if (!data) return false
      if (data.events.nodes.length === 0) return true
      this.ids.push(...data.events.nodes.map(({ id }) => id))
    }
  }
}
