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

/** Permits and queue of a counter. */
interface CounterState {
  readonly permits: Map<string, HeldPermit>
  readonly queue: Map<string, Waiter>
}

interface Options {
  readonly nowMs?: () => number
  /** Whether the background share of each counter starts as used up, because permits of other stores may still count. */
  readonly startsUsed?: boolean
}

/** Creates a limiter store for one process. */
export function createMemoryStore(options: Options = {}): MemoryStore {
  return new MemoryStore(options)
}

export class MemoryStore implements LimiterStore {
  /** States by counter, the one that was unused longest first. */
  private readonly states = new Map<string, CounterState>()
  private readonly pauses = new Map<string, number>()
  private readonly positions = new Map<string, QueuePosition>()
  private readonly nowMs: () => number
  /** Time at which the background share counts as used up; null if it starts free. */
  private readonly usedAt: number | null
  private arrivals = 0

  constructor({ nowMs = () => performance.now(), startsUsed = false }: Options) {
    this.nowMs = nowMs
    this.usedAt = startsUsed ? nowMs() : null
  }

  async take(request: PermitRequest): Promise<PermitWait | null> {
    const now = this.nowMs()
    const pause = this.pauseOf(request)
    if (pause) {
      this.leaveQueues(request)
      return pause
    }
    const position = this.positionOf(request)
    const states = request.counters.map((counter) => this.stateOf(request, counter, now))
    for (const [index, counter] of request.counters.entries()) {
      const waitMs = waitFor(states[index] as CounterState, counter, position, now)
      if (waitMs === 0) continue
      const waiter = { position, until: now + waitMs + QUEUE_GRACE_MS }
      // Joins the queues up to this counter. In that of a wider one, it would hold back requests that do not count here.
      for (const [queueIndex, { queue }] of states.entries())
        if (queueIndex <= index) queue.set(request.id, waiter)
        else queue.delete(request.id)
      return { waitMs, paused: false }
    }
    for (const [index, { windowMs }] of request.counters.entries())
      states[index]?.permits.set(request.id, { live: request.live, until: now + windowMs + LEASE_MS })
    this.leave(request)
    this.evictOldest(now)
    return null
  }

  settle(request: PermitRequest): void {
    const now = this.nowMs()
    for (const counter of request.counters) {
      const { permits } = this.stateOf(request, counter, now)
      permits.set(request.id, { live: request.live, until: now + counter.windowMs })
    }
  }

  /** Gives back the permits of a request that was not sent. */
  undo(request: PermitRequest): void {
    for (const { key } of request.counters) this.states.get(keyOf(request, key))?.permits.delete(request.id)
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
    for (const { key } of request.counters) this.states.get(keyOf(request, key))?.queue.delete(request.id)
  }

  private positionOf({ id, live }: PermitRequest): QueuePosition {
    const position = this.positions.get(id) ?? { live, number: this.arrivals++ }
    this.positions.set(id, position)
    return position
  }

  private stateOf(request: PermitRequest, counter: LimitCounter, now: number): CounterState {
    const name = keyOf(request, counter.key)
    const state = this.states.get(name) ?? this.newState(counter)
    dropExpired(state, now)
    // Moves the counter to the end of the map, because `evictOldest` takes the first one.
    this.states.delete(name)
    this.states.set(name, state)
    return state
  }

  private newState({ background, windowMs }: LimitCounter): CounterState {
    if (this.usedAt === null || windowMs === 0) return { permits: new Map(), queue: new Map() }
    const used = { live: false, until: this.usedAt + windowMs }
    const permits = Array.from({ length: background }, (_, index) => [`used ${index}`, used] as const)
    return { permits: new Map(permits), queue: new Map() }
  }

  /**
   * Removes the counter that was unused longest, if it is empty. Each call checks only one counter, so that its
   * cost is constant.
   */
  private evictOldest(now: number): void {
    const [oldest] = this.states
    if (!oldest) return
    const [name, state] = oldest
    dropExpired(state, now)
    if (state.permits.size === 0 && state.queue.size === 0) this.states.delete(name)
  }
}

const keyOf = ({ provider }: Pick<PermitRequest, 'provider'>, key: string): string =>
  JSON.stringify([provider, key])

function dropExpired({ permits, queue }: CounterState, now: number): void {
  for (const [id, { until }] of permits) if (until <= now) permits.delete(id)
  for (const [id, { until }] of queue) if (until <= now) queue.delete(id)
}

/** Minimum wait until a permit is free for a request at this queue position; 0 if one is free now. */
function waitFor(
  { permits, queue }: CounterState,
  counter: LimitCounter,
  position: QueuePosition,
  now: number,
): number {
  const { requests, background, windowMs } = counter
  const ahead = [...queue.values()].filter((waiter) => precedes(waiter.position, position))
  const held = [...permits.values()]
  const waitMs = waitForRoom(held, requests - ahead.length, windowMs, now)
  if (position.live) return waitMs
  const backgroundAhead = ahead.filter((waiter) => !waiter.position.live)
  const backgroundHeld = held.filter(({ live }) => !live)
  return Math.max(waitMs, waitForRoom(backgroundHeld, background - backgroundAhead.length, windowMs, now))
}

const precedes = (one: QueuePosition, other: QueuePosition): boolean =>
  one.live === other.live ? one.number < other.number : one.live

/**
 * Minimum wait until fewer than `room` permits are held. It is at most one window, because a pending request may
 * get its response now and then counts for only one more window.
 */
function waitForRoom(permits: readonly HeldPermit[], room: number, windowMs: number, now: number): number {
  if (permits.length < room) return 0
  const soonest = permits.map(({ until }) => until).sort((one, other) => one - other)
  const freeAt = soonest[Math.min(permits.length - room, permits.length - 1)] ?? now + MIN_WAIT_MS
  return Math.max(1, Math.ceil(Math.min(freeAt - now, Math.max(windowMs, MIN_WAIT_MS))))
}
