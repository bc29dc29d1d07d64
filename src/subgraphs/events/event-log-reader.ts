import { setTimeout as wait } from 'node:timers/promises'
import { isPublic, isClientError } from '../../domain/errors.ts'
import type { SharedStream } from '../streams/shared-stream.ts'
import type { LogSubscriber, EventLogCache, LogPosition, PositionedEvent } from './event-log-cache.ts'

const PAGE_SIZE = 100
/** Delay before a failed read of the table is retried. */
const RETRY_MS = 500

export interface EventLogSource {
  /** Loads the start position. Null starts at the current end of the log. */
  readonly start: (() => Promise<LogPosition>) | null
  /** Reads matching entries from the table: after one position, up to and including another. */
  readStored(after: number, upTo: number, limit: number): Promise<readonly PositionedEvent[]>
  matches(entry: PositionedEvent): boolean
  /** Returns the entry under the name of its type that the consumer requested. Repeated calls return the same object. */
  withRequestedType(entry: PositionedEvent): PositionedEvent
}

/** Stall of a consumer: it reads nothing while matching entries arrive. */
interface ReaderStall {
  /** Number of matching entries that wait. */
  queued: number
  readonly maxQueued: number
  readonly until: number
  timer: NodeJS.Timeout | undefined
  onOverflow(): void
}

/** Duration of a stall before it counts. A burst fills any buffer for a moment, so a shorter stall has no effect. */
const STALL_TIMEOUT_MS = 5_000

/** Calls `onOverflow` at the end of the timeout if too many entries are queued. */
function scheduleOverflow(stall: ReaderStall): void {
  if (stall.queued <= stall.maxQueued) return
  stall.timer ??= setTimeout(() => stall.onOverflow(), stall.until - performance.now())
}

/**
 * Stream of the matching entries of a log after a position, each once and in order. It first reads the table in
 * pages, on demand. Then it reads the log cache, which keeps the entries that arrived meanwhile. A consumer that falls
 * behind the cache reads the table again, so a slow consumer uses no extra memory.
 */
export class EventLogReader implements SharedStream<PositionedEvent>, LogSubscriber {
  readonly isShared = true
  private starting: Promise<LogPosition> | null = null
  private isOpen = true
  /** Entries up to this position are delivered or do not match. */
  private position = 0
  /** Entries up to this position are read from the table, later ones from the cache. */
  private tableEnd = Number.MAX_SAFE_INTEGER
  /** Undelivered entries of the current page of the table. */
  private page: PositionedEvent[] = []
  /** Position up to which the table has been read. */
  private pageEnd = 0
  private wake: (() => void) | null = null
  private stall: ReaderStall | null = null

  constructor(
    private readonly cache: EventLogCache,
    private readonly source: EventLogSource,
  ) {
    cache.join(this)
  }

  get evictableUpTo(): number {
    return Math.max(this.position, this.tableEnd)
  }

  get isStalled(): boolean {
    return this.stall !== null
  }

  readonly idOf = ({ id }: PositionedEvent): string => id

  async idBeforeStart(): Promise<string | null> {
    return (await this.start()).id
  }

  async next(): Promise<IteratorResult<PositionedEvent>> {
    await this.start()
    while (this.isOpen) {
      const entry = this.position < this.tableEnd ? await this.nextStored() : this.nextCached()
      if (entry && this.isOpen) return { done: false, value: this.source.withRequestedType(entry) }
      if (this.position >= this.cache.position && this.position >= this.tableEnd) await this.waitForEntries()
    }
    return { done: true, value: undefined }
  }

  onEntries(entries: readonly PositionedEvent[]): void {
    // A waiting reader has delivered everything, so it can skip entries that do not match.
    if (this.wake) {
      if (entries.some(this.source.matches)) this.wake()
      else this.position = this.tableEnd = this.latestPosition
      return
    }
    const { stall } = this
    if (!stall || stall.queued > stall.maxQueued) return
    stall.queued += entries.filter(this.source.matches).length
    scheduleOverflow(stall)
  }

  watchStall(maxQueued: number, onOverflow: () => void, timeoutMs = STALL_TIMEOUT_MS): () => void {
    const stall: ReaderStall = {
      queued: this.cache.countAfter(this.evictableUpTo, this.source.matches),
      maxQueued,
      onOverflow,
      until: performance.now() + timeoutMs,
      timer: undefined,
    }
    this.stall = stall
    scheduleOverflow(stall)
    return () => {
      clearTimeout(stall.timer)
      if (this.stall === stall) this.stall = null
    }
  }

  return(): Promise<IteratorResult<PositionedEvent>> {
    this.isOpen = false
    this.cache.leave(this)
    this.wake?.()
    return Promise.resolve({ done: true, value: undefined })
  }

  async throw(error: unknown): Promise<IteratorResult<PositionedEvent>> {
    await this.return()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  private start(): Promise<LogPosition> {
    return (this.starting ??= this.findStart())
  }

  /** Pins the current end of the cache: the table supplies the entries before it, the cache those after it. */
  private async findStart(): Promise<LogPosition> {
    const end = await this.cache.started()
    this.tableEnd = this.cache.position
    const start = this.source.start ? await this.source.start() : end
    this.position = start.position
    return start
  }

  private async nextStored(): Promise<PositionedEvent | null> {
    if (this.page.length === 0) await this.readPage()
    const entry = this.page.shift() ?? null
    // After the last entry, the position moves to the end of the page: no other entry up to there matches.
    this.position = this.page.length > 0 && entry ? entry.position : Math.max(this.pageEnd, this.position)
    return entry
  }

  private async readPage(): Promise<void> {
    const { position, tableEnd } = this
    try {
      this.page = [...(await this.source.readStored(position, tableEnd, PAGE_SIZE))]
      this.pageEnd = this.page.length < PAGE_SIZE ? tableEnd : (this.page.at(-1)?.position ?? tableEnd)
    } catch (error) {
      if (!isPublic(error) || isClientError(error)) throw error
      // The service has failed, not the request: the page is read again after a delay.
      this.pageEnd = position
      await wait(RETRY_MS, undefined, { ref: false })
    }
  }

  private nextCached(): PositionedEvent | null {
    if (!this.cache.covers(this.position)) {
      // The cache has evicted entries that this reader needs, so it reads the table again.
      this.tableEnd = this.cache.position
      return null
    }
    const entry = this.cache.after(this.position, this.source.matches)
    this.position = entry?.position ?? this.latestPosition
    return entry
  }

  /**
   * Position after all cached entries. A consumer that resumes from another gateway may be ahead of the cache of this
   * process. It then keeps its position and waits.
   */
  private get latestPosition(): number {
    return Math.max(this.position, this.cache.position)
  }

  private async waitForEntries(): Promise<void> {
    await new Promise<void>((resolve) => (this.wake = resolve))
    this.wake = null
  }
}
