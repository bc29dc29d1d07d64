import { OdographError } from './errors.ts'
import type { Page } from './generated.ts'

/** List that reads its pages during iteration: `for await (const vehicle of vehicles.list())`. */
export class Pages<Item> implements AsyncIterable<Item> {
  constructor(private readonly read: (cursor: string | undefined) => Promise<Page<Item>>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { results } of this.pages()) yield* results
  }

  /** Yields the pages. Throws if the service returns a cursor twice, because the loop would never end. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const seen = new Set<string>()
    for (let cursor: string | undefined; ;) {
      const page = await this.read(cursor)
      yield page
      cursor = page.next
      if (cursor === undefined) return
      if (seen.has(cursor))
        throw new OdographError('repeated_cursor', 'The service returned the same cursor again.')
      seen.add(cursor)
    }
  }

  /** Returns the first page. */
  first(): Promise<Page<Item>> {
    return this.read(undefined)
  }

  /** Returns all items. For short lists only. */
  async all(): Promise<Item[]> {
    const items: Item[] = []
    for await (const item of this) items.push(item)
    return items
  }
}
