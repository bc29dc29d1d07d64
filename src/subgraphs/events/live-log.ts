import { setTimeout as wait } from 'node:timers/promises'
import type { LogEntry } from '../../storage/outbox.ts'

/** A place in the log: after an event, or before all. */
export interface Place {
  readonly id: string | null
  readonly position: number
}

export type Placed = LogEntry & { readonly position: number }

/** Where one application's log is read, and what tells that there is more of it. */
export interface LiveLogFrom {
  newest(): Promise<Place>
  entriesAfter(position: number, limit: number): Promise<Placed[]>
  listen(ear: () => void): () => void
  /** Told, once for each time, that the log cannot be read; it is tried again. */
  onTrouble(error: unknown): void
}

/** Somebody who reads the live log, each at its own pace. */
export interface Follower {
  /** It needs nothing up to here any more. */
  readonly held: number
  readonly isStalled: boolean
  arrived(entries: readonly Placed[]): void
}

/** Followers that are further behind read the table. */
const MOST_KEPT = 512
const PAGE = 128
/** Also looks without being rung: a ring can be lost with the process that rang. */
const LOOK_MS = 3_000
const AGAIN_MS = 500
const GRACE_MS = 1_000
const PAUSE_MS = 2

/** The end of one application's log: read once, by position, for everybody in this process who follows it. */
export class LiveLog {
  private readonly followers = new Set<Follower>()
  private readonly stopListening: () => void
  private readonly timer: NodeJS.Timeout
  private beginning: Promise<Place> | null = null
  private place: Place | null = null
  private kept: Placed[] = []
  private floor = 0
  private rung = false
  private isReading = false

  constructor(
    private readonly from: LiveLogFrom,
    private readonly whenLeft: () => void,
    lookMs = LOOK_MS,
  ) {
    const look = () => void this.look()
    this.stopListening = from.listen(look)
    this.timer = setInterval(look, lookMs).unref()
  }

  join(follower: Follower): void {
    this.followers.add(follower)
  }

  leave(follower: Follower): void {
    if (!this.followers.delete(follower) || this.followers.size > 0) return
    clearInterval(this.timer)
    this.stopListening()
    this.whenLeft()
  }

  /** How far it has been read, once that is known. */
  async begun(): Promise<Place> {
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
  after(position: number, wants: (entry: Placed) => boolean): Placed | null {
    for (let at = this.placeOf(position); at < this.kept.length; at++) {
      const entry = this.kept[at]
      if (entry && wants(entry)) return entry
    }
    return null
  }

  countAfter(position: number, wants: (entry: Placed) => boolean): number {
    return this.kept.slice(this.placeOf(position)).filter(wants).length
  }

  private async begin(): Promise<Place> {
    const place = await this.from.newest()
    this.floor = place.position
    this.place = place
    if (this.rung) void this.look()
    return place
  }

  private async look(): Promise<void> {
    this.rung = true
    if (this.isReading || !this.place) return
    this.isReading = true
    while (this.rung && this.followers.size > 0) {
      this.rung = false
      await this.read().catch(async (error: unknown) => {
        this.from.onTrouble(error)
        this.rung = true
        await wait(AGAIN_MS, undefined, { ref: false })
      })
    }
    this.isReading = false
  }

  private async read(): Promise<void> {
    for (let count = PAGE; count === PAGE && this.followers.size > 0;) {
      const entries = await this.from.entriesAfter(this.position, PAGE)
      this.append(entries)
      count = entries.length
      if (count === PAGE) await this.mostlyTaken()
    }
  }

  private append(entries: readonly Placed[]): void {
    const last = entries.at(-1)
    if (!last) return
    this.kept.push(...entries)
    this.place = { id: last.id, position: last.position }
    for (const follower of this.followers) follower.arrived(entries)
    this.forget()
  }

  /** Lets go of what everybody has taken, and of the oldest where too much is kept for those who lag. */
  private forget(): void {
    let needed = this.position
    for (const { held } of this.followers) needed = Math.min(needed, held)
    const least = Math.max(0, this.kept.length - MOST_KEPT)
    const count = Math.max(this.placeOf(needed), least)
    const gone = this.kept.splice(0, count)
    this.floor = gone.at(-1)?.position ?? this.floor
  }

  /**
   * In a burst, waits a moment for whoever is quickest: else all of them would have to read the table, each for itself.
   */
  private async mostlyTaken(): Promise<void> {
    const until = performance.now() + GRACE_MS
    const isBehind = () => {
      const quickest = this.quickest()
      return quickest !== null && this.placeOf(quickest) < this.kept.length - PAGE
    }
    while (isBehind() && performance.now() < until) await wait(PAUSE_MS)
  }

  /** How far those have come who take what they are given. */
  private quickest(): number | null {
    let quickest: number | null = null
    for (const { held, isStalled } of this.followers) if (!isStalled) quickest = Math.max(quickest ?? 0, held)
    return quickest
  }

  /** Where in `kept` the first entry after a position stands. */
  private placeOf(position: number): number {
    let [low, high] = [0, this.kept.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.kept[middle]?.position ?? 0) > position) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** The live logs of this process, by their applications: each is there while somebody follows it. */
export class LiveLogs {
  private readonly logs = new Map<string, LiveLog>()

  constructor(
    private readonly fromOf: (applicationId: string) => LiveLogFrom,
    private readonly lookMs?: number,
  ) {}

  /** How many are read. */
  get size(): number {
    return this.logs.size
  }

  of(applicationId: string): LiveLog {
    const known = this.logs.get(applicationId)
    if (known) return known
    const log = new LiveLog(this.fromOf(applicationId), () => this.logs.delete(applicationId), this.lookMs)
    this.logs.set(applicationId, log)
    return log
  }
}
