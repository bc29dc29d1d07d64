import type { LimitCounter } from './rate-limit.ts'
import {
  type PermitRequest,
  QUEUE_GRACE_MS,
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
  readonly position: QueuePosition
  readonly until: number
}

/** Live requests precede background requests; requests of equal priority are served in order of arrival. */
interface QueuePosition {
  readonly live: boolean
  readonly number: number
}

interface Count {
  readonly permits: Map<string, HeldPermit>
  readonly queue: Map<string, Waiter>
}

interface Options {
  readonly nowMs?: () => number
  /** Whether the background share of each counter starts as used up. */
  readonly used?: boolean
}

/** Creates a limiter store for one process. */
export function createMemoryStore(options: Options = {}): MemoryStore {
  return new MemoryStore(options)
}

export class MemoryStore implements LimiterStore {
  private readonly counts = new Map<string, Count>()
  private readonly pauses = new Map<string, number>()
  private readonly positions = new Map<string, QueuePosition>()
  private readonly nowMs: () => number
  private readonly usedAt: number
  private arrivals = 0

  constructor({ nowMs = () => performance.now(), used = false }: Options) {
    this.nowMs = nowMs
    this.usedAt = used ? nowMs() : -Infinity
  }

  async take(request: PermitRequest): Promise<PermitWait | null> {
    const now = this.nowMs()
    const pause = this.pauseOf(request)
    if (pause) {
      this.leaveQueues(request)
      return pause
    }
    const position = this.positionOf(request)
    const counts = request.counters.map((counter) => this.countOf(request, counter, now))
    for (const [at, counter] of request.counters.entries()) {
      const waitMs = waitFor(counts[at] as Count, counter, position, now)
      if (waitMs === 0) continue
      const waiter = { position, until: now + waitMs + QUEUE_GRACE_MS }
      for (const [other, { queue }] of counts.entries())
        if (other <= at) queue.set(request.id, waiter)
        else queue.delete(request.id)
      return { waitMs, paused: false }
    }
    for (const [at, { windowMs }] of request.counters.entries())
      counts[at]?.permits.set(request.id, { live: request.live, until: now + windowMs + LEASE_MS })
    this.leave(request)
    this.evictOldest(now)
    return null
  }

  settle(request: PermitRequest): void {
    const now = this.nowMs()
    for (const counter of request.counters) {
      const { permits } = this.countOf(request, counter, now)
      permits.set(request.id, { live: request.live, until: now + counter.windowMs })
    }
  }

  /** Returns the permits of a request that was not sent. */
  undo(request: PermitRequest): void {
    for (const { key } of request.counters) this.counts.get(keyOf(request, key))?.permits.delete(request.id)
  }

  leave(request: PermitRequest): void {
    this.positions.delete(request.id)
    this.leaveQueues(request)
  }

  async pause(provider: string, account: string, ms: number): Promise<void> {
    const name = keyOf({ provider }, account)
    this.pauses.set(name, Math.max(this.pauses.get(name) ?? 0, this.nowMs() + ms))
  }

  /** Remaining pause of a request's account; null if there is none. */
  pauseOf(request: PermitRequest): PermitWait | null {
    const name = keyOf(request, request.account)
    const waitMs = Math.ceil((this.pauses.get(name) ?? 0) - this.nowMs())
    if (waitMs > 0) return { waitMs, paused: true }
    this.pauses.delete(name)
    return null
  }

  async close(): Promise<void> {}

  private leaveQueues(request: PermitRequest): void {
    for (const { key } of request.counters) this.counts.get(keyOf(request, key))?.queue.delete(request.id)
  }

  private positionOf({ id, live }: PermitRequest): QueuePosition {
    const position = this.positions.get(id) ?? { live, number: this.arrivals++ }
    this.positions.set(id, position)
    return position
  }

  private countOf(request: PermitRequest, counter: LimitCounter, now: number): Count {
    const name = keyOf(request, counter.key)
    const count = this.counts.get(name) ?? this.newCounter(counter)
    dropExpired(count, now)
    this.counts.delete(name)
    this.counts.set(name, count)
    return count
  }

  private newCounter({ background, windowMs }: LimitCounter): Count {
    const used = { live: false, until: this.usedAt + windowMs }
    const permits = Array.from({ length: background }, (_, at) => [`used ${at}`, used] as const)
    return { permits: new Map(used.until > this.usedAt ? permits : []), queue: new Map() }
  }

  /**
   * Checks the counter that was unused longest, and removes it if it is empty. One per call keeps the cost
   * constant.
   */
  private evictOldest(now: number): void {
    const [oldest] = this.counts
    if (!oldest) return
    const [name, count] = oldest
    dropExpired(count, now)
    if (count.permits.size === 0 && count.queue.size === 0) this.counts.delete(name)
  }
}

const keyOf = ({ provider }: Pick<PermitRequest, 'provider'>, key: string): string =>
  JSON.stringify([provider, key])

function dropExpired({ permits, queue }: Count, now: number): void {
  for (const [id, { until }] of permits) if (until <= now) permits.delete(id)
  for (const [id, { until }] of queue) if (until <= now) queue.delete(id)
}

/** Minimum wait of a queue position until a permit is free; 0 if one is free now. */
function waitFor(
  { permits, queue }: Count,
  counter: LimitCounter,
  position: QueuePosition,
  now: number,
): number {
  const ahead = [...queue.values()].filter((other) => precedes(other.position, position))
  const all = [...permits.values()]
  const waitMs = waitForRoom(all, counter.requests - ahead.length, counter.windowMs, now)
  if (position.live) return waitMs
  const [mine, before] = [all, ahead.map((waiter) => waiter.position)].map((those) =>
    those.filter(({ live }) => !live),
  ) as [HeldPermit[], QueuePosition[]]
  return Math.max(waitMs, waitForRoom(mine, counter.background - before.length, counter.windowMs, now))
}

const precedes = (one: QueuePosition, other: QueuePosition): boolean =>
  one.live === other.live ? one.number < other.number : one.live

/**
 * Minimum wait until fewer than `room` permits are held. A pending request still counts for one window after
 * its response, which comes now at the earliest.
 */
function waitForRoom(permits: readonly HeldPermit[], room: number, windowMs: number, now: number): number {
  if (permits.length < room) return 0
  const soonest = permits.map(({ until }) => until).sort((one, other) => one - other)
  const freeAt = soonest[Math.min(permits.length - room, permits.length - 1)] ?? now + MIN_WAIT_MS
  return Math.max(1, Math.ceil(Math.min(freeAt - now, Math.max(windowMs, MIN_WAIT_MS))))
}
