import type { ResumableStream } from './notified-stream.ts'

/**
 * The events of a subscription that many may follow at once: each gets the same objects, so that what is answered to
 * one can be told to others who ask for the same.
 */
export interface SharedStream<Event> extends AsyncIterableIterator<Event>, ResumableStream {
  readonly isShared: true
  idOf(event: Event): string
  /**
   * Counts what comes while its reader takes nothing, until the returned function is called; where that lasts for
   * its patience, 5 seconds unless told, and more than `most` wait, `tooMany` is called, once.
   */
  onStall(most: number, tooMany: () => void, patienceMs?: number): () => void
}

export const isSharedStream = (events: object): events is SharedStream<unknown> => 'isShared' in events
