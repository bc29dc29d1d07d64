import { setTimeout as wait } from 'node:timers/promises'
import type { EventRow } from '../../storage/outbox.ts'

/** Position in the log: after an event, or before the first event. */
export interface LogPosition {
  readonly id: string | null
  readonly position: number
}

export type PositionedEvent = EventRow & { readonly position: number }

/** Source of one application's log. */
export interface EventLogCacheDeps {
  newest(): Promise<LogPosition>
  entriesAfter(position: number, limit: number): Promise<PositionedEvent[]>
  /** Subscribes to notifications of new entries. */
  subscribe(listener: () => void): () => void
  /** Called on each failed read. The cache retries the read. */
  onReadError(error: unknown): void
}

/** Consumer of the cached log. Each consumer reads at its own pace. */
export interface LogSubscriber {
  /** Position up to which the consumer needs no entries from the cache. */
  readonly evictableUpTo: number
  readonly isStalled: boolean
  /** Called with new entries of the log, in order. */
  onEntries(entries: readonly PositionedEvent[]): void
}

/** Maximum number of cached entries. Consumers that are further behind read the table. */
const MAX_CACHED = 512
const PAGE_SIZE = 128
/** Interval of reads without a notification. A notification is lost if the process that sends it dies. */
const POLL_INTERVAL_MS = 3_000
/** Delay before a failed read is retried. */
const RETRY_MS = 500
const MAX_CATCH_UP_MS = 1_000
const CATCH_UP_CHECK_MS = 2

/** Tail of one application's log in memory. Each entry is read once for all consumers in this process. */
export class EventLogCache {
  private readonly subscribers = new Set<LogSubscriber>()
  private readonly stopListening: () => void
  private readonly timer: NodeJS.Timeout
  private starting: Promise<LogPosition> | null = null
  private end: LogPosition | null = null
  private cached: PositionedEvent[] = []
  /** The cache contains all entries between this position and `end`. */
  private evictedUpTo = 0
  private isNotified = false
  private isReading = false

  constructor(
    private readonly deps: EventLogCacheDeps,
    private readonly onEmpty: () => void,
    pollMs = POLL_INTERVAL_MS,
  ) {
    const poll = () => void this.poll()
    this.stopListening = deps.subscribe(poll)
    this.timer = setInterval(poll, pollMs).unref()
  }

  join(subscriber: LogSubscriber): void {
    this.subscribers.add(subscriber)
  }

  leave(subscriber: LogSubscriber): void {
    if (!this.subscribers.delete(subscriber) || this.subscribers.size > 0) return
    clearInterval(this.timer)
    this.stopListening()
    this.onEmpty()
  }

  /** Returns the end of the cached log. The first call reads the newest position. */
  async started(): Promise<LogPosition> {
    if (this.end) return this.end
    this.starting ??= this.start().finally(() => (this.starting = null))
    return this.starting
  }

  get position(): number {
    return this.end?.position ?? 0
  }

  /** Whether the cache contains all entries after a position. */
  covers(position: number): boolean {
    return position >= this.evictedUpTo
  }

  /** Returns the first matching entry after a position. */
  after(position: number, matches: (entry: PositionedEvent) => boolean): PositionedEvent | null {
    for (let index = this.indexAfter(position); index < this.cached.length; index++) {
      const entry = this.cached[index]
      if (entry && matches(entry)) return entry
    }
    return null
  }

  countAfter(position: number, matches: (entry: PositionedEvent) => boolean): number {
    return this.cached.slice(this.indexAfter(position)).filter(matches).length
  }

  private async start(): Promise<LogPosition> {
    const end = await this.deps.newest()
    this.evictedUpTo = end.position
    this.end = end
    if (this.isNotified) void this.poll()
    return end
  }

  private async poll(): Promise<void> {
    this.isNotified = true
    if (this.isReading || !this.end) return
    this.isReading = true
    while (this.isNotified && this.subscribers.size > 0) {
      this.isNotified = false
      await this.read().catch(async (error: unknown) => {
        this.deps.onReadError(error)
        this.isNotified = true
        await wait(RETRY_MS, undefined, { ref: false })
      })
    }
    this.isReading = false
  }

  private async read(): Promise<void> {
    for (let isFull = true; isFull && this.subscribers.size > 0;) {
      const entries = await this.deps.entriesAfter(this.position, PAGE_SIZE)
      this.append(entries)
      isFull = entries.length === PAGE_SIZE
      if (isFull) await this.waitForFastest()
    }
  }

  private append(entries: readonly PositionedEvent[]): void {
    const last = entries.at(-1)
    if (!last) return
    this.cached.push(...entries)
    this.end = { id: last.id, position: last.position }
    for (const subscriber of this.subscribers) subscriber.onEntries(entries)
    this.evict()
  }

  /** Evicts the entries that all consumers have read, and the oldest entries above `MAX_CACHED`. */
  private evict(): void {
    let slowest = this.position
    for (const { evictableUpTo } of this.subscribers) slowest = Math.min(slowest, evictableUpTo)
    const overflow = Math.max(0, this.cached.length - MAX_CACHED)
    const count = Math.max(this.indexAfter(slowest), overflow)
    const evicted = this.cached.splice(0, count)
    this.evictedUpTo = evicted.at(-1)?.position ?? this.evictedUpTo
  }

  /**
   * Waits during a burst, at most a second, until the fastest consumer has nearly caught up. Without the wait, entries
   * would be evicted before any consumer reads them, and each consumer would read the table itself.
   */
  private async waitForFastest(): Promise<void> {
    const until = performance.now() + MAX_CATCH_UP_MS
    const isBehind = () => {
      const fastest = this.fastestPosition()
      return fastest !== null && this.indexAfter(fastest) < this.cached.length - PAGE_SIZE
    }
    while (isBehind() && performance.now() < until) await wait(CATCH_UP_CHECK_MS)
  }

  /** Returns the position of the fastest consumer that is not stalled. */
  private fastestPosition(): number | null {
    let fastest: number | null = null
    for (const { evictableUpTo, isStalled } of this.subscribers)
      if (!isStalled) fastest = Math.max(fastest ?? 0, evictableUpTo)
    return fastest
  }

  /** Returns the index in `cached` of the first entry after a position. */
  private indexAfter(position: number): number {
    let [low, high] = [0, this.cached.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.cached[middle]?.position ?? 0) > position) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Log caches of this process by application. A cache exists while it has consumers. */
export class EventLogCaches {
  private readonly logs = new Map<string, EventLogCache>()

  constructor(
    private readonly depsOf: (applicationId: string) => EventLogCacheDeps,
    private readonly pollMs?: number,
  ) {}

  /** Number of cached logs. */
  get size(): number {
    return this.logs.size
  }

  of(applicationId: string): EventLogCache {
    const existing = this.logs.get(applicationId)
    if (existing) return existing
    const log = new EventLogCache(
      this.depsOf(applicationId),
      () => this.logs.delete(applicationId),
      this.pollMs,
    )
    this.logs.set(applicationId, log)
    return log
  }
}
