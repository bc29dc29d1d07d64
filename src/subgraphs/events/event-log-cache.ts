import { setTimeout as wait } from 'node:timers/promises'
import type { EventRow } from '../../storage/outbox.ts'

/** A place in the log: after an event, or before all. */
export interface LogPosition {
  readonly id: string | null
  readonly position: number
}

export type PositionedEvent = EventRow & { readonly position: number }

/** Where one application's log is read, and what tells that there is more of it. */
export interface EventLogCacheDeps {
  newest(): Promise<LogPosition>
  entriesAfter(position: number, limit: number): Promise<PositionedEvent[]>
  subscribe(listener: () => void): () => void
  /** Told, once for each time, that the log cannot be read; it is tried again. */
  onTrouble(error: unknown): void
}

/** Somebody who reads the live log, each at its own pace. */
export interface LogSubscriber {
  /** It needs nothing up to here any more. */
  readonly held: number
  readonly isStalled: boolean
  arrived(entries: readonly PositionedEvent[]): void
}

/** Followers that are further behind read the table. */
const MAX_CACHED = 512
const PAGE = 128
/** Also looks without being rung: a ring can be lost with the process that rang. */
const POLL_INTERVAL_MS = 3_000
const AGAIN_MS = 500
const GRACE_MS = 1_000
const PAUSE_MS = 2

/** The end of one application's log: read once, by position, for everybody in this process who follows it. */
export class EventLogCache {
  private readonly subscribers = new Set<LogSubscriber>()
  private readonly stopListening: () => void
  private readonly timer: NodeJS.Timeout
  private beginning: Promise<LogPosition> | null = null
  private place: LogPosition | null = null
  private cached: PositionedEvent[] = []
  private floor = 0
  private isNotified = false
  private isReading = false

  constructor(
    private readonly deps: EventLogCacheDeps,
    private readonly whenLeft: () => void,
    pollMs = POLL_INTERVAL_MS,
  ) {
    const look = () => void this.look()
    this.stopListening = deps.subscribe(look)
    this.timer = setInterval(look, pollMs).unref()
  }

  join(follower: LogSubscriber): void {
    this.subscribers.add(follower)
  }

  leave(follower: LogSubscriber): void {
    if (!this.subscribers.delete(follower) || this.subscribers.size > 0) return
    clearInterval(this.timer)
    this.stopListening()
    this.whenLeft()
  }

  /** How far it has been read, once that is known. */
  async started(): Promise<LogPosition> {
    if (this.place) return this.place
    this.beginning ??= this.begin().finally(() => (this.beginning = null))
    return this.beginning
  }

  get position(): number {
    return this.place?.position ?? 0
  }

  /** Whether it knows every entry after a position. */
  holds(position: number): boolean {
    return position >= this.floor
  }

  /** The first entry after a position that somebody wants. */
  after(position: number, wants: (entry: PositionedEvent) => boolean): PositionedEvent | null {
    for (let at = this.placeOf(position); at < this.cached.length; at++) {
      const entry = this.cached[at]
      if (entry && wants(entry)) return entry
    }
    return null
  }

  countAfter(position: number, wants: (entry: PositionedEvent) => boolean): number {
    return this.cached.slice(this.placeOf(position)).filter(wants).length
  }

  private async begin(): Promise<LogPosition> {
    const place = await this.deps.newest()
    this.floor = place.position
    this.place = place
    if (this.isNotified) void this.look()
    return place
  }

  private async look(): Promise<void> {
    this.isNotified = true
    if (this.isReading || !this.place) return
    this.isReading = true
    while (this.isNotified && this.subscribers.size > 0) {
      this.isNotified = false
      await this.read().catch(async (error: unknown) => {
        this.deps.onTrouble(error)
        this.isNotified = true
        await wait(AGAIN_MS, undefined, { ref: false })
      })
    }
    this.isReading = false
  }

  private async read(): Promise<void> {
    for (let count = PAGE; count === PAGE && this.subscribers.size > 0;) {
      const entries = await this.deps.entriesAfter(this.position, PAGE)
      this.append(entries)
      count = entries.length
      if (count === PAGE) await this.whenMostlyTaken()
    }
  }

  private append(entries: readonly PositionedEvent[]): void {
    const last = entries.at(-1)
    if (!last) return
    this.cached.push(...entries)
    this.place = { id: last.id, position: last.position }
    for (const follower of this.subscribers) follower.arrived(entries)
    this.evict()
  }

  /** Lets go of what everybody has taken, and of the oldest where too much is kept for those who lag. */
  private evict(): void {
    let needed = this.position
    for (const { held } of this.subscribers) needed = Math.min(needed, held)
    const least = Math.max(0, this.cached.length - MAX_CACHED)
    const count = Math.max(this.placeOf(needed), least)
    const gone = this.cached.splice(0, count)
    this.floor = gone.at(-1)?.position ?? this.floor
  }

  /**
   * In a burst, waits a moment for whoever is quickest: else all of them would have to read the table, each for itself.
   */
  private async whenMostlyTaken(): Promise<void> {
    const until = performance.now() + GRACE_MS
    const isBehind = () => {
      const quickest = this.quickest()
      return quickest !== null && this.placeOf(quickest) < this.cached.length - PAGE
    }
    while (isBehind() && performance.now() < until) await wait(PAUSE_MS)
  }

  /** How far those have come who take what they are given. */
  private quickest(): number | null {
    let quickest: number | null = null
    for (const { held, isStalled } of this.subscribers)
      if (!isStalled) quickest = Math.max(quickest ?? 0, held)
    return quickest
  }

  /** Where in `kept` the first entry after a position stands. */
  private placeOf(position: number): number {
    let [low, high] = [0, this.cached.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.cached[middle]?.position ?? 0) > position) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** The live logs of this process, by their applications: each is there while somebody follows it. */
export class EventLogCaches {
  private readonly logs = new Map<string, EventLogCache>()

  constructor(
    private readonly fromOf: (applicationId: string) => EventLogCacheDeps,
    private readonly pollMs?: number,
  ) {}

  /** How many are read. */
  get size(): number {
    return this.logs.size
  }

  of(applicationId: string): EventLogCache {
    const known = this.logs.get(applicationId)
    if (known) return known
    const log = new EventLogCache(
      this.fromOf(applicationId),
      () => this.logs.delete(applicationId),
      this.pollMs,
    )
    this.logs.set(applicationId, log)
    return log
  }
}
