import { setTimeout as wait } from 'node:timers/promises'
import { isPublic, isClientError } from '../../domain/errors.ts'
import type { SharedStream } from '../streams/shared-stream.ts'
import type { LogSubscriber, EventLogCache, LogPosition, PositionedEvent } from './event-log-cache.ts'

const PAGE = 100
const AGAIN_MS = 500

export interface EventLogSource {
  /** Where to begin; null is from now on. */
  readonly start: (() => Promise<LogPosition>) | null
  /** Entries that are wanted, of those after one position and up to another. */
  stored(after: number, upTo: number, limit: number): Promise<readonly PositionedEvent[]>
  wants(entry: PositionedEvent): boolean
  /** The entry as it is asked for, the same object each time. */
  named(entry: PositionedEvent): PositionedEvent
}

/** A reader that takes nothing. */
interface ReaderStall {
  count: number
  readonly most: number
  readonly until: number
  timer: NodeJS.Timeout | undefined
  tooMany(): void
}

/** A burst fills any buffer for a moment: whoever takes something within this time is only slow. */
const STALL_TIMEOUT_MS = 5_000

function giveUpInTime(stall: ReaderStall): void {
  if (stall.count <= stall.most) return
  stall.timer ??= setTimeout(() => stall.tooMany(), stall.until - performance.now())
}

/**
 * Everything that somebody wants of the log, after one place, once and in order. What is stored is read from the
 * table page by page, as it is asked for; from then on it is taken from the live log, which keeps what came meanwhile.
 * Whoever falls too far behind there reads the table again, so a slow reader costs nothing.
 */
export class EventLogReader implements SharedStream<PositionedEvent>, LogSubscriber {
  readonly isShared = true
  private begun: Promise<LogPosition> | null = null
  private open = true
  /** Everything up to here has been given, or is not wanted. */
  private position = 0
  /** Up to here the table is read. */
  private pin = Number.MAX_SAFE_INTEGER
  private page: PositionedEvent[] = []
  private pageEnds = 0
  private wake: (() => void) | null = null
  private stall: ReaderStall | null = null

  constructor(
    private readonly live: EventLogCache,
    private readonly log: EventLogSource,
  ) {
    live.join(this)
  }

  get held(): number {
    return Math.max(this.position, this.pin)
  }

  get isStalled(): boolean {
    return this.stall !== null
  }

  readonly idOf = ({ id }: PositionedEvent): string => id

  async startsAfter(): Promise<string | null> {
    return (await this.begin()).id
  }

  async next(): Promise<IteratorResult<PositionedEvent>> {
    await this.begin()
    while (this.open) {
      const entry = this.position < this.pin ? await this.nextStored() : this.nextLive()
      if (entry && this.open) return { done: false, value: this.log.named(entry) }
      if (this.position >= this.live.position && this.position >= this.pin) await this.isNotified()
    }
    return { done: true, value: undefined }
  }

  arrived(entries: readonly PositionedEvent[]): void {
    if (this.wake) {
      if (entries.some(this.log.wants)) this.wake()
      else this.position = this.pin = this.latest
      return
    }
    const { stall } = this
    if (!stall || stall.count > stall.most) return
    stall.count += entries.filter(this.log.wants).length
    giveUpInTime(stall)
  }

  onStall(most: number, tooMany: () => void, patienceMs = STALL_TIMEOUT_MS): () => void {
    const count = this.live.countAfter(this.held, this.log.wants)
    const stall: ReaderStall = {
      count,
      most,
      tooMany,
      until: performance.now() + patienceMs,
      timer: undefined,
    }
    this.stall = stall
    giveUpInTime(stall)
    return () => {
      clearTimeout(stall.timer)
      if (this.stall === stall) this.stall = null
    }
  }

  return(): Promise<IteratorResult<PositionedEvent>> {
    this.open = false
    this.live.leave(this)
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

  private begin(): Promise<LogPosition> {
    return (this.begun ??= this.findStart())
  }

  /** The live log is held from where it is now on; what is before is read from the table. */
  private async findStart(): Promise<LogPosition> {
    const place = await this.live.started()
    this.pin = this.live.position
    const start = this.log.start ? await this.log.start() : place
    this.position = start.position
    return start
  }

  private async nextStored(): Promise<PositionedEvent | null> {
    if (this.page.length === 0) await this.readPage()
    const entry = this.page.shift() ?? null
    this.position = this.page.length > 0 && entry ? entry.position : Math.max(this.pageEnds, this.position)
    return entry
  }

  private async readPage(): Promise<void> {
    const { position, pin } = this
    try {
      this.page = [...(await this.log.stored(position, pin, PAGE))]
      this.pageEnds = this.page.length < PAGE ? pin : (this.page.at(-1)?.position ?? pin)
    } catch (error) {
      if (!isPublic(error) || isClientError(error)) throw error
      this.pageEnds = position
      await wait(AGAIN_MS, undefined, { ref: false })
    }
  }

  private nextLive(): PositionedEvent | null {
    if (!this.live.holds(this.position)) {
      this.pin = this.live.position
      return null
    }
    const entry = this.live.after(this.position, this.log.wants)
    this.position = entry?.position ?? this.latest
    return entry
  }

  /** Whoever comes from another gateway may be ahead of this one, and waits for it there. */
  private get latest(): number {
    return Math.max(this.position, this.live.position)
  }

  private async isNotified(): Promise<void> {
    await new Promise<void>((resolve) => (this.wake = resolve))
    this.wake = null
  }
}
