import type { OdographError } from '../errors.ts'
import type { Event } from '../generated.ts'
import { isTransient } from '../transport.ts'
import { withJitter } from '../backoff.ts'
import type { EventFilter, StreamItem } from './event-stream.ts'

export interface Following extends EventFilter {
  /** The id of the last event seen; without it, `from` says where to begin. */
  readonly after?: string | undefined
  /** Without `after`: from the oldest event that the log has, which is what it does unless told, or from now on. */
  readonly from?: 'oldest' | 'now' | undefined
  /** As they happen, over a stream, unless told; or only by asking for them again and again. */
  readonly mode?: 'stream' | 'pull' | undefined
  /** Where it asks for them: how long it waits where there is nothing new; 2,000 unless told. */
  readonly pollMs?: number | undefined
  /** How long a stream may be silent until it is given up; 30,000 unless told. The service speaks every 12,000. */
  readonly silenceMs?: number | undefined
  /** Hears of what it gets over by itself: a stream that was refused, a service that does not answer. */
  readonly onTrouble?: ((error: OdographError) => void) | undefined
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
}

/** Where the log is read from. */
export interface EventSource {
  /** Every event after one, or from the oldest on, to the newest. */
  read(after: string | undefined): AsyncIterable<Event>
  /** What comes after one, or from now on; it ends with why there is no stream, null where it was broken off. */
  stream(after: string | undefined): AsyncGenerator<StreamItem, OdographError | null, undefined>
  readonly longestWaitMs: number
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * The events of the log as they come, in their order, without an end. Keep the id of each that has been worked on, and
 * go on `after` it: none is missed and none comes twice. A service that is away is waited for, once it has answered.
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

const AGAIN_MS = 1000
/** Where streams are refused, one is tried again after so many rounds at the most: 128 of 2 s are four minutes. */
const MAX_DOUBLINGS = 7

class Follower {
  /** The event after which it goes on; without one, it begins. */
  private place: string | undefined
  private begins: 'oldest' | 'now'
  private wasAnswered = false

  constructor(
    private readonly source: EventSource,
    private readonly following: Following,
  ) {
    this.place = following.after
    this.begins = following.from ?? 'oldest'
  }

  async *events(): AsyncGenerator<Event, void, undefined> {
    if (this.following.mode === 'pull') for (;;) yield* this.round()
    for (let refusals = 0; ;) {
      const refusal = yield* this.streamed()
      if (refusal) {
        await this.leaveAlone(refusal)
        for (let round = 2 ** Math.min(refusals++, MAX_DOUBLINGS); round > 0; round--) yield* this.round()
      } else {
        refusals = 0
        await this.pause(withJitter(AGAIN_MS))
      }
    }
  }

  /** Follows a stream to its end. Where it begins at no event, what is before its beginning is read first. */
  private async *streamed(): AsyncGenerator<Event, OdographError | null, undefined> {
    const stream = this.source.stream(this.place)
    try {
      for (;;) {
        const { done, value } = await stream.next()
        if (done) return value
        this.wasAnswered = true
        if (value.event) yield this.passed(value.event)
        else if (value.place !== null && this.place === undefined) {
          const failure = this.begins === 'oldest' ? yield* this.caughtUp() : null
          // The stream would give again what was read past its beginning.
          if (failure || this.place !== undefined) return failure
          this.place = value.place
        }
      }
    } finally {
      await stream.return(null)
    }
  }

  /** A refused stream is no reason to end: reading tells whether it is the caller that is refused. */
  private async leaveAlone(refusal: OdographError): Promise<void> {
    const { retryAfterSeconds } = refusal
    this.following.onTrouble?.(refusal)
    if (retryAfterSeconds !== null)
      await this.pause(Math.min(retryAfterSeconds * 1000, this.source.longestWaitMs))
  }

  /** Reads what is new, and waits a little. */
  private async *round(): AsyncGenerator<Event, void, undefined> {
    const { pollMs = 2000, onTrouble } = this.following
    const failure = yield* this.caughtUp()
    if (failure) onTrouble?.(failure)
    const asked = failure?.retryAfterSeconds ?? null
    await this.pause(asked === null ? pollMs : asked * 1000)
  }

  /** Reads to the newest event; gives why it cannot, where that will pass. */
  private async *caughtUp(): AsyncGenerator<Event, OdographError | null, undefined> {
    try {
      if (this.place === undefined && this.begins === 'now') this.place = await this.newest()
      else for await (const event of this.source.read(this.place)) yield this.passed(event)
      this.wasAnswered = true
      this.begins = 'oldest'
      return null
    } catch (error) {
      if (this.wasAnswered && isTransient(error)) return error
      throw error
    }
  }

  private async newest(): Promise<string | undefined> {
    let newest: string | undefined
    for await (const { id } of this.source.read(undefined)) newest = id
    return newest
  }

  private passed(event: Event): Event {
    this.place = event.id
    return event
  }

  private pause(ms: number): Promise<void> {
    return this.source.wait(ms, this.following.signal)
  }
}
