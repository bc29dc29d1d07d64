import type { LimitCounter } from './rate-limit.ts'
import {
  type PermitRequest,
  GRACE_MS,
  LEASE_MS,
  type LimiterStore,
  MIN_WAIT_MS,
  type PermitWait,
} from './limiter-store.ts'

interface HeldPermit {
  readonly live: boolean
  readonly until: number
}

interface Waiter {
  readonly place: QueuePosition
  readonly until: number
}

/** Live requests are ahead of those in the background; otherwise who came first. */
interface QueuePosition {
  readonly live: boolean
  readonly number: number
}

interface Count {
  readonly holds: Map<string, HeldPermit>
  readonly line: Map<string, Waiter>
}

interface Options {
  readonly nowMs?: () => number
  /** Begins as if the background's share of everything had just been taken. */
  readonly used?: boolean
}

/** The ledger of one process. */
export function createMemoryStore(options: Options = {}): MemoryStore {
  return new MemoryStore(options)
}

export class MemoryStore implements LimiterStore {
  private readonly counts = new Map<string, Count>()
  private readonly pauses = new Map<string, number>()
  private readonly places = new Map<string, QueuePosition>()
  private readonly nowMs: () => number
  private readonly usedAt: number
  private arrivals = 0

  constructor({ nowMs = () => performance.now(), used = false }: Options) {
    this.nowMs = nowMs
    this.usedAt = used ? nowMs() : -Infinity
  }

  async take(ask: PermitRequest): Promise<PermitWait | null> {
    const now = this.nowMs()
    const pause = this.pauseOf(ask)
    if (pause) {
      this.leaveLines(ask)
      return pause
    }
    const place = this.placeOf(ask)
    const counts = ask.counters.map((counter) => this.countOf(ask, counter, now))
    for (const [at, counter] of ask.counters.entries()) {
      const waitMs = waitFor(counts[at] as Count, counter, place, now)
      if (waitMs === 0) continue
      const waiter = { place, until: now + waitMs + GRACE_MS }
      for (const [other, { line }] of counts.entries())
        if (other <= at) line.set(ask.id, waiter)
        else line.delete(ask.id)
      return { waitMs, paused: false }
    }
    for (const [at, { windowMs }] of ask.counters.entries())
      counts[at]?.holds.set(ask.id, { live: ask.live, until: now + windowMs + LEASE_MS })
    this.leave(ask)
    this.evictOldest(now)
    return null
  }

  settle(ask: PermitRequest): void {
    const now = this.nowMs()
    for (const counter of ask.counters) {
      const { holds } = this.countOf(ask, counter, now)
      holds.set(ask.id, { live: ask.live, until: now + counter.windowMs })
    }
  }

  /** The request had its turn and was not sent. */
  undo(ask: PermitRequest): void {
    for (const { key } of ask.counters) this.counts.get(nameOf(ask, key))?.holds.delete(ask.id)
  }

  leave(ask: PermitRequest): void {
    this.places.delete(ask.id)
    this.leaveLines(ask)
  }

  async pause(provider: string, account: string, ms: number): Promise<void> {
    const name = nameOf({ provider }, account)
    this.pauses.set(name, Math.max(this.pauses.get(name) ?? 0, this.nowMs() + ms))
  }

  /** The pause of a request's account. */
  pauseOf(ask: PermitRequest): PermitWait | null {
    const name = nameOf(ask, ask.account)
    const waitMs = Math.ceil((this.pauses.get(name) ?? 0) - this.nowMs())
    if (waitMs > 0) return { waitMs, paused: true }
    this.pauses.delete(name)
    return null
  }

  async close(): Promise<void> {}

  private leaveLines(ask: PermitRequest): void {
    for (const { key } of ask.counters) this.counts.get(nameOf(ask, key))?.line.delete(ask.id)
  }

  private placeOf({ id, live }: PermitRequest): QueuePosition {
    const place = this.places.get(id) ?? { live, number: this.arrivals++ }
    this.places.set(id, place)
    return place
  }

  private countOf(ask: PermitRequest, counter: LimitCounter, now: number): Count {
    const name = nameOf(ask, counter.key)
    const count = this.counts.get(name) ?? this.opened(counter)
    dropExpired(count, now)
    this.counts.delete(name)
    this.counts.set(name, count)
    return count
  }

  private opened({ background, windowMs }: LimitCounter): Count {
    const used = { live: false, until: this.usedAt + windowMs }
    const holds = Array.from({ length: background }, (_, at) => [`used ${at}`, used] as const)
    return { holds: new Map(used.until > this.usedAt ? holds : []), line: new Map() }
  }

  /** What nobody asks for any more goes, one at a time. */
  private evictOldest(now: number): void {
    const [oldest] = this.counts
    if (!oldest) return
    const [name, count] = oldest
    dropExpired(count, now)
    if (count.holds.size === 0 && count.line.size === 0) this.counts.delete(name)
  }
}

const nameOf = ({ provider }: Pick<PermitRequest, 'provider'>, key: string): string =>
  JSON.stringify([provider, key])

function dropExpired({ holds, line }: Count, now: number): void {
  for (const [id, { until }] of holds) if (until <= now) holds.delete(id)
  for (const [id, { until }] of line) if (until <= now) line.delete(id)
}

/** How long a place in line waits at least until there is room; 0 where there is. */
function waitFor({ holds, line }: Count, counter: LimitCounter, place: QueuePosition, now: number): number {
  const ahead = [...line.values()].filter((other) => precedes(other.place, place))
  const all = [...holds.values()]
  const waitMs = waitForRoom(all, counter.requests - ahead.length, counter.windowMs, now)
  if (place.live) return waitMs
  const [mine, before] = [all, ahead.map((waiter) => waiter.place)].map((those) =>
    those.filter(({ live }) => !live),
  ) as [HeldPermit[], QueuePosition[]]
  return Math.max(waitMs, waitForRoom(mine, counter.background - before.length, counter.windowMs, now))
}

const precedes = (one: QueuePosition, other: QueuePosition): boolean =>
  one.live === other.live ? one.number < other.number : one.live

/** What is under way is answered now at the soonest, and counts for a window after that. */
function waitForRoom(holds: readonly HeldPermit[], room: number, windowMs: number, now: number): number {
  if (holds.length < room) return 0
  const soonest = holds.map(({ until }) => until).sort((one, other) => one - other)
  const freeAt = soonest[Math.min(holds.length - room, holds.length - 1)] ?? now + MIN_WAIT_MS
  return Math.max(1, Math.ceil(Math.min(freeAt - now, Math.max(windowMs, MIN_WAIT_MS))))
}
