import { OdographError } from './errors.ts'
import type { Page } from './generated.ts'

/** A list that is read page by page, as far as it is looped over: `for await (const vehicle of vehicles.list())`. */
export class Pages<Item> implements AsyncIterable<Item> {
  constructor(private readonly read: (cursor: string | undefined) => Promise<Page<Item>>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { results } of this.pages()) yield* results
  }

  /** The pages themselves. A cursor that comes again would never end: it is an error. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const seen = new Set<string>()
    for (let cursor: string | undefined; ;) {
      const page = await this.read(cursor)
      yield page
      cursor = page.next
      if (cursor === undefined) return
      if (seen.has(cursor))
        throw new OdographError('repeated_cursor', 'The service gave the same cursor again.')
      seen.add(cursor)
    }
  }

  /** The first page alone. */
  first(): Promise<Page<Item>> {
    return this.read(undefined)
  }

  /** Every item at once: for lists that are known to be short. */
  async all(): Promise<Item[]> {
    const items: Item[] = []
    for await (const item of this) items.push(item)
    return items
  }
}
