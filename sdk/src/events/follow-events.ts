import type { OdographError } from '../errors.ts'
import type { Event } from '../generated.ts'
import { isTransient } from '../transport.ts'
import { withJitter } from '../backoff.ts'
import type { EventFilter, StreamItem } from './event-stream.ts'

/** Options of `followEvents`. */
export interface Following extends EventFilter {
  /** Id of the last event seen. Without it, `from` sets the start. */
  readonly after?: string | undefined
  /** Start without `after`: the oldest event of the log (the default), or now. */
  readonly from?: 'oldest' | 'now' | undefined
  /** `stream` (the default) receives events as they occur. `pull` polls for them. */
  readonly mode?: 'stream' | 'pull' | undefined
  /** Time between polls; 2,000 by default. */
  readonly pollMs?: number | undefined
  /**
   * A stream without a message for this time is opened again; 30,000 ms by default. The service sends one every 12,000
   * ms.
   */
  readonly silenceMs?: number | undefined
  /** Called with each error that is retried: a refused stream, or a service that does not respond. */
  readonly onTrouble?: ((error: OdographError) => void) | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

/** Access to the event log. */
export interface EventSource {
  /** Reads the events after the event `after`, up to the newest. Without `after`, starts at the oldest event. */
  read(after: string | undefined): AsyncIterable<Event>
  /**
   * Streams the events after the event `after`. Without `after`, streams the events from now on. Returns null if the
   * stream was open and then ended or broke off. Returns an error if it did not open or the service reported an error.
   */
  stream(after: string | undefined): AsyncGenerator<StreamItem, OdographError | null, undefined>
  /** Maximum wait after a refused stream, before the polls that replace the stream. */
  readonly longestWaitMs: number
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * Yields the events of the log in order, without an end. Store the id of each processed event and pass it as `after`
 * when you resume: then no event is missed or repeated. An error before the first response of the service is thrown.
 * After the first response, requests that fail for a time are retried until the service responds again.
 */
export async function* followEvents(
  source: EventSource,
  following: Following,
): AsyncGenerator<Event, void, undefined> {
  try {
    yield* new Follower(source, following).events()
  } catch (error) {
    if (!following.signal?.aborted) throw error
  }
}

const RECONNECT_MS = 1000
/**
 * After a refused stream, polls replace it until the next attempt to open a stream. Their number doubles with each
 * refusal. This limit makes it 128 at most: 128 polls at intervals of 2 s take four minutes.
 */
const MAX_DOUBLINGS = 7

class Follower {
  /** Id of the last event that was read. Undefined before the first event. */
  private position: string | undefined
  private start: 'oldest' | 'now'
  private hadResponse = false

  constructor(
    private readonly source: EventSource,
    private readonly following: Following,
  ) {
    this.position = following.after
    this.start = following.from ?? 'oldest'
  }

  async *events(): AsyncGenerator<Event, void, undefined> {
    if (this.following.mode === 'pull') for (;;) yield* this.poll()
    for (let refusals = 0; ;) {
      const refusal = yield* this.streamed()
      if (refusal) {
        await this.backOff(refusal)
        for (let polls = 2 ** Math.min(refusals++, MAX_DOUBLINGS); polls > 0; polls--) yield* this.poll()
      } else {
        refusals = 0
        await this.pause(withJitter(RECONNECT_MS))
      }
    }
  }

  /**
   * Yields the events of one stream until the stream ends. A stream without a position starts with events from now on.
   * If the caller wants all events from the oldest on, the earlier events are read first.
   */
  private async *streamed(): AsyncGenerator<Event, OdographError | null, undefined> {
    const stream = this.source.stream(this.position)
    try {
      for (;;) {
        const { done, value } = await stream.next()
        if (done) return value
        this.hadResponse = true
        if (value.event) yield this.advance(value.event)
        else if (value.position !== null && this.position === undefined) {
          const failure = this.start === 'oldest' ? yield* this.catchUp() : null
          // This stream may contain events that were just read. It ends here, and the next stream starts after them.
          if (failure || this.position !== undefined) return failure
          this.position = value.position
        }
      }
    } finally {
      await stream.return(null)
    }
  }

  /** Reports a refused stream and waits. If the service refuses the credentials, the next poll throws that error. */
  private async backOff(refusal: OdographError): Promise<void> {
    const { retryAfterSeconds } = refusal
    this.following.onTrouble?.(refusal)
    if (retryAfterSeconds !== null)
      await this.pause(Math.min(retryAfterSeconds * 1000, this.source.longestWaitMs))
  }

  /** Reads the new events, then waits. */
  private async *poll(): AsyncGenerator<Event, void, undefined> {
    const { pollMs = 2000, onTrouble } = this.following
    const failure = yield* this.catchUp()
    if (failure) onTrouble?.(failure)
    const retryAfterSeconds = failure?.retryAfterSeconds ?? null
    await this.pause(retryAfterSeconds === null ? pollMs : retryAfterSeconds * 1000)
  }

  /** Reads up to the newest event. Returns a transient error and throws any other. */
  private async *catchUp(): AsyncGenerator<Event, OdographError | null, undefined> {
    try {
      if (this.position === undefined && this.start === 'now') this.position = await this.newest()
      else for await (const event of this.source.read(this.position)) yield this.advance(event)
      this.hadResponse = true
      // With `now` and an empty log there is still no position. Every event from now on is new, so all are read.
      this.start = 'oldest'
      return null
    } catch (error) {
      if (this.hadResponse && isTransient(error)) return error
      throw error
    }
  }

  private async newest(): Promise<string | undefined> {
    let newest: string | undefined
    for await (const { id } of this.source.read(undefined)) newest = id
    return newest
  }

  private advance(event: Event): Event {
    this.position = event.id
    return event
  }

  private pause(ms: number): Promise<void> {
    return this.source.wait(ms, this.following.signal)
  }
}
