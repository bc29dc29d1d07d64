import type { Counter } from './budget.ts'
import { type Ask, GRACE_MS, LEASE_MS, type Ledger, LEAST_WAIT_MS, type Wait } from './ledger.ts'

interface Hold {
  readonly live: boolean
  readonly until: number
}

interface Waiter {
  readonly place: Place
  readonly until: number
}

/** Live requests are ahead of those in the background; otherwise who came first. */
interface Place {
  readonly live: boolean
  readonly number: number
}

interface Count {
  readonly holds: Map<string, Hold>
  readonly line: Map<string, Waiter>
}

interface Options {
  readonly nowMs?: () => number
  /** Begins as if the background's share of everything had just been taken. */
  readonly used?: boolean
}

/** The ledger of one process. */
export function memoryLedger(options: Options = {}): MemoryLedger {
  return new MemoryLedger(options)
}

export class MemoryLedger implements Ledger {
  private readonly counts = new Map<string, Count>()
  private readonly pauses = new Map<string, number>()
  private readonly places = new Map<string, Place>()
  private readonly nowMs: () => number
  private readonly usedAt: number
  private arrivals = 0

  constructor({ nowMs = () => performance.now(), used = false }: Options) {
    this.nowMs = nowMs
    this.usedAt = used ? nowMs() : -Infinity
  }

  async take(ask: Ask): Promise<Wait | null> {
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
    this.forgetOldest(now)
    return null
  }

  settle(ask: Ask): void {
    const now = this.nowMs()
    for (const counter of ask.counters) {
      const { holds } = this.countOf(ask, counter, now)
      holds.set(ask.id, { live: ask.live, until: now + counter.windowMs })
    }
  }

  /** The request had its turn and was not sent. */
  undo(ask: Ask): void {
    for (const { key } of ask.counters) this.counts.get(nameOf(ask, key))?.holds.delete(ask.id)
  }

  leave(ask: Ask): void {
    this.places.delete(ask.id)
    this.leaveLines(ask)
  }

  async pause(provider: string, account: string, ms: number): Promise<void> {
    const name = nameOf({ provider }, account)
    this.pauses.set(name, Math.max(this.pauses.get(name) ?? 0, this.nowMs() + ms))
  }

  /** The pause of a request's account. */
  pauseOf(ask: Ask): Wait | null {
    const name = nameOf(ask, ask.account)
    const waitMs = Math.ceil((this.pauses.get(name) ?? 0) - this.nowMs())
    if (waitMs > 0) return { waitMs, paused: true }
    this.pauses.delete(name)
    return null
  }

  async close(): Promise<void> {}

  private leaveLines(ask: Ask): void {
    for (const { key } of ask.counters) this.counts.get(nameOf(ask, key))?.line.delete(ask.id)
  }

  private placeOf({ id, live }: Ask): Place {
    const place = this.places.get(id) ?? { live, number: this.arrivals++ }
    this.places.set(id, place)
    return place
  }

  private countOf(ask: Ask, counter: Counter, now: number): Count {
    const name = nameOf(ask, counter.key)
    const count = this.counts.get(name) ?? this.opened(counter)
    dropOver(count, now)
    this.counts.delete(name)
    this.counts.set(name, count)
    return count
  }

  private opened({ background, windowMs }: Counter): Count {
    const used = { live: false, until: this.usedAt + windowMs }
    const holds = Array.from({ length: background }, (_, at) => [`used ${at}`, used] as const)
    return { holds: new Map(used.until > this.usedAt ? holds : []), line: new Map() }
  }

  /** What nobody asks for any more goes, one at a time. */
  private forgetOldest(now: number): void {
    const [oldest] = this.counts
    if (!oldest) return
    const [name, count] = oldest
    dropOver(count, now)
    if (count.holds.size === 0 && count.line.size === 0) this.counts.delete(name)
  }
}

const nameOf = ({ provider }: Pick<Ask, 'provider'>, key: string): string => `${provider} ${key}`

function dropOver({ holds, line }: Count, now: number): void {
  for (const [id, { until }] of holds) if (until <= now) holds.delete(id)
  for (const [id, { until }] of line) if (until <= now) line.delete(id)
}

/** How long a place in line waits at least until there is room; 0 where there is. */
function waitFor({ holds, line }: Count, counter: Counter, place: Place, now: number): number {
  const ahead = [...line.values()].filter((other) => isAhead(other.place, place))
  const all = [...holds.values()]
  const waitMs = waitForRoom(all, counter.requests - ahead.length, counter.windowMs, now)
  if (place.live) return waitMs
  const [mine, before] = [all, ahead.map((waiter) => waiter.place)].map((those) =>
    those.filter(({ live }) => !live),
  ) as [Hold[], Place[]]
  return Math.max(waitMs, waitForRoom(mine, counter.background - before.length, counter.windowMs, now))
}

const isAhead = (one: Place, other: Place): boolean =>
  one.live === other.live ? one.number < other.number : one.live

/** What is under way is answered now at the soonest, and counts for a window after that. */
function waitForRoom(holds: readonly Hold[], room: number, windowMs: number, now: number): number {
  if (holds.length < room) return 0
  const soonest = holds.map(({ until }) => until).sort((one, other) => one - other)
  const freeAt = soonest[Math.min(holds.length - room, holds.length - 1)] ?? now + LEAST_WAIT_MS
  return Math.max(1, Math.ceil(Math.min(freeAt - now, Math.max(windowMs, LEAST_WAIT_MS))))
}
