import type { ResumableStream } from './notified-stream.ts'

/**
 * Stream of events that many subscriptions consume at once. All of them receive the same event objects, so the
 * result for one event can be shared between equal subscriptions.
 */
export interface SharedStream<Event> extends AsyncIterableIterator<Event>, ResumableStream {
  readonly isShared: true
  idOf(event: Event): string
  /**
   * Watches the queue of a consumer that reads nothing, until the returned function is called. It calls `onOverflow`
   * once if the stall lasts for `timeoutMs` (default 5 seconds) and more than `maxQueued` events wait.
   */
  watchStall(maxQueued: number, onOverflow: () => void, timeoutMs?: number): () => void
}

export const isSharedStream = (events: object): events is SharedStream<unknown> => 'isShared' in events
