import { setTimeout as wait } from 'node:timers/promises'

const PAGE_SIZE = 500
const PAUSE_MS = 300
const REQUEST_MS = 10_000

const QUERY = `query ($after: ID, $first: Int) {
  events(after: $after, first: $first, types: ["purchase.checked", "purchase.declined"]) {
    nodes { id type detail }
  }
}`

export interface PurchaseEvent {
  readonly id: string
  readonly type: string
  readonly detail: { readonly purchaseCheck: { readonly id: string; readonly decision: string } }
}

/** Reads the events of checks from the log of an application, as an integrator does: from the last event on. */
export class EventReader {
  readonly events: PurchaseEvent[] = []
  private readonly stop = new AbortController()
  private readonly reading: Promise<void>
  private pages = 0

  constructor(
    private readonly urls: readonly string[],
    private readonly secretKey: string,
  ) {
    this.reading = this.keepReading()
  }

  /** Reads to the end of the log. Throws if a page cannot be read. */
  async finish(): Promise<readonly PurchaseEvent[]> {
    this.stop.abort()
    await this.reading
    while ((await this.readPage()) > 0);
    return this.events
  }

  private async keepReading(): Promise<void> {
    while (!this.stop.signal.aborted) {
      // During a fault the page is read again later.
      const size = await this.readPage().catch(() => 0)
      if (size < PAGE_SIZE) await wait(PAUSE_MS)
    }
  }

  /** Reads the next page by one of the gateways. Returns its size. */
  private async readPage(): Promise<number> {
    const response = await fetch(`${this.urls[this.pages++ % this.urls.length]}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: QUERY,
        variables: { after: this.events.at(-1)?.id ?? null, first: PAGE_SIZE },
      }),
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    const text = await response.text()
    const { data } = JSON.parse(text) as {
      data?: { events: { nodes: readonly PurchaseEvent[] } | null } | null
    }
    if (!data?.events) throw new Error(`the event log was answered with ${text}`)
    this.events.push(...data.events.nodes)
    return data.events.nodes.length
  }
}
