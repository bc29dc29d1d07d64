import { setTimeout as wait } from 'node:timers/promises'
import { isPublic, isRefusal } from '../../errors.ts'
import type { Followed } from '../followed.ts'
import type { Follower, LiveLog, Place, Placed } from './live-log.ts'

const PAGE = 100
const AGAIN_MS = 500

export interface FollowedLog {
  /** Where to begin; null is from now on. */
  readonly start: (() => Promise<Place>) | null
  /** Entries that are wanted, of those after one position and up to another. */
  stored(after: number, upTo: number, limit: number): Promise<readonly Placed[]>
  wants(entry: Placed): boolean
  /** The entry as it is asked for, the same object each time. */
  named(entry: Placed): Placed
}

/** A reader that takes nothing. */
interface Stall {
  count: number
  readonly most: number
  readonly until: number
  timer: NodeJS.Timeout | undefined
  tooMany(): void
}

/** A burst fills any buffer for a moment: whoever takes something within this time is only slow. */
const PATIENCE_MS = 5_000

function giveUpInTime(stall: Stall): void {
  if (stall.count <= stall.most) return
  stall.timer ??= setTimeout(() => stall.tooMany(), stall.until - performance.now())
}

/**
 * Everything that somebody wants of the log, after one place, once and in order. What is stored is read from the
 * table page by page, as it is asked for; from then on it is taken from the live log, which keeps what came meanwhile.
 * Whoever falls too far behind there reads the table again, so a slow reader costs nothing.
 */
export class LogFollower implements Followed<Placed>, Follower {
  readonly isShared = true
  private begun: Promise<Place> | null = null
  private open = true
  /** Everything up to here has been given, or is not wanted. */
  private position = 0
  /** Up to here the table is read. */
  private pin = Number.MAX_SAFE_INTEGER
  private page: Placed[] = []
  private pageEnds = 0
  private wake: (() => void) | null = null
  private stall: Stall | null = null

  constructor(
    private readonly live: LiveLog,
    private readonly log: FollowedLog,
  ) {
    live.join(this)
  }

  get held(): number {
    return Math.max(this.position, this.pin)
  }

  get isStalled(): boolean {
    return this.stall !== null
  }

  readonly idOf = ({ id }: Placed): string => id

  async startsAfter(): Promise<string | null> {
    return (await this.begin()).id
  }

  async next(): Promise<IteratorResult<Placed>> {
    await this.begin()
    while (this.open) {
      const entry = this.position < this.pin ? await this.nextStored() : this.nextLive()
      if (entry && this.open) return { done: false, value: this.log.named(entry) }
      if (this.position >= this.live.position && this.position >= this.pin) await this.rung()
    }
    return { done: true, value: undefined }
  }

  arrived(entries: readonly Placed[]): void {
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

  whileStalled(most: number, tooMany: () => void, patienceMs = PATIENCE_MS): () => void {
    const count = this.live.countAfter(this.held, this.log.wants)
    const stall: Stall = { count, most, tooMany, until: performance.now() + patienceMs, timer: undefined }
    this.stall = stall
    giveUpInTime(stall)
    return () => {
      clearTimeout(stall.timer)
      if (this.stall === stall) this.stall = null
    }
  }

  return(): Promise<IteratorResult<Placed>> {
    this.open = false
    this.live.leave(this)
    this.wake?.()
    return Promise.resolve({ done: true, value: undefined })
  }

  async throw(error: unknown): Promise<IteratorResult<Placed>> {
    await this.return()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  private begin(): Promise<Place> {
    return (this.begun ??= this.findStart())
  }

  /** The live log is held from where it is now on; what is before is read from the table. */
  private async findStart(): Promise<Place> {
    const place = await this.live.begun()
    this.pin = this.live.position
    const start = this.log.start ? await this.log.start() : place
    this.position = start.position
    return start
  }

  private async nextStored(): Promise<Placed | null> {
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
      if (!isPublic(error) || isRefusal(error)) throw error
      this.pageEnds = position
      await wait(AGAIN_MS, undefined, { ref: false })
    }
  }

  private nextLive(): Placed | null {
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

  private async rung(): Promise<void> {
    await new Promise<void>((resolve) => (this.wake = resolve))
    this.wake = null
  }
}
