import type { OdographError } from '../errors.ts'
import type { Event } from '../generated.ts'
import { isTransient } from '../transport.ts'
import { withJitter } from '../backoff.ts'
import type { EventFilter, StreamItem } from './event-stream.ts'

export interface Following extends EventFilter {
  /** Id of the last event seen. Without it, `from` sets the start. */
  readonly after?: string | undefined
  /** Start without `after`: the oldest event of the log (the default), or now. */
  readonly from?: 'oldest' | 'now' | undefined
  /** `stream` (the default) receives events as they occur. `pull` polls for them. */
  readonly mode?: 'stream' | 'pull' | undefined
  /** Time between polls; 2,000 by default. */
  readonly pollMs?: number | undefined
  /** A stream without a message for this time is opened again; 30,000 ms by default. The service sends one every 12,000 ms. */
  readonly silenceMs?: number | undefined
  /** Called with each error that is retried: a refused stream, or a service that does not respond. */
  readonly onTrouble?: ((error: OdographError) => void) | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

/** Access to the event log. */
export interface EventSource {
  /** Reads the events after one, or from the oldest on, up to the newest. */
  read(after: string | undefined): AsyncIterable<Event>
  /**
   * Streams the events after one, or from now on. Returns the error that prevented a stream, or null if it
   * broke off.
   */
  stream(after: string | undefined): AsyncGenerator<StreamItem, OdographError | null, undefined>
  /** Longest wait after a refused stream, before the polls that replace it. */
  readonly longestWaitMs: number
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * Yields the events of the log in order, without an end. Store the id of each processed event and resume
 * `after` it: no event is missed or repeated. If the service never responded, the error is thrown. After a first response,
 * requests are retried until it responds again.
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
/** Limits the polls between attempts to open a refused stream: 128 polls of 2 s are four minutes. */
const MAX_DOUBLINGS = 7

class Follower {
  /** Id of the last event. Undefined before the first one. */
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
   * Follows a stream to its end. If it follows from the oldest event on, it first reads the events before the start of the
   * stream.
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
          // The stream may contain events that were just read. A new stream starts after the last one of them.
          if (failure || this.position !== undefined) return failure
          this.position = value.position
        }
      }
    } finally {
      await stream.return(null)
    }
  }

  /** Reports a refused stream and waits. If the service refuses the caller too, the next poll throws. */
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
      // If the log was empty, every event from now on is new.
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
