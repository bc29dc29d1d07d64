import { setTimeout as wait } from 'node:timers/promises'
import type { RateLimitStatus } from '../../domain/rate-limit.ts'

/** Shortest wait, so that many waiting subscriptions do not try again all the time. */
const MIN_WAIT_MS = 100

/**
 * Delays each event until its points can be taken. No event is lost: the stream is not read meanwhile. `return` ends
 * the wait.
 */
export function pacedEvents<Event>(
  events: AsyncIterator<Event>,
  takePoints: () => RateLimitStatus | null | Promise<RateLimitStatus>,
): AsyncIterator<Event> {
  const ending = new AbortController()
  return {
    async next() {
      const result = await events.next()
      while (!result.done && !ending.signal.aborted) {
        const status = await takePoints()
        if (!status || status.waitMs === 0) break
        await wait(Math.max(MIN_WAIT_MS, status.waitMs), undefined, { signal: ending.signal }).catch(
          () => undefined,
        )
      }
      return result
    },
    return() {
      ending.abort()
      return events.return?.() ?? Promise.resolve({ done: true, value: undefined })
    },
  }
}
