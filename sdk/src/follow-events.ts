import type { Event } from './generated.ts'
import type { List } from './calls.ts'
import { wait } from './waiting.ts'

export interface Following {
  /** The id of the last event seen; from the oldest on where it is absent. */
  readonly after?: string | undefined
  /** Only these types. */
  readonly types?: readonly string[] | undefined
  /** How long to wait where there is nothing new; 2,000 unless told. */
  readonly pollMs?: number | undefined
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The events of the log as they come, in their order, without an end. Keep the id of each that has been worked on, and
 * go on `after` it: none is missed and none comes twice.
 */
export async function* followEvents(
  list: List<'listEvents'>,
  { after, types, pollMs = 2000, signal }: Following = {},
): AsyncGenerator<Event, void, undefined> {
  try {
    for (let seen = after; ;) {
      for await (const event of list({ after: seen, types }, { signal })) {
        yield event
        seen = event.id
      }
      await wait(pollMs, signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
