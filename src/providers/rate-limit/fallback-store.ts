import type { Logger } from '../../platform/logging/log.ts'
import { backgroundShareOf, type LimitCounter } from './rate-limit.ts'
import type { PermitRequest, LimiterStore, PermitWait } from './limiter-store.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'
import { RedisStore } from './redis-store.ts'

interface Options {
  readonly redisUrl: string
  readonly prefix: string
  readonly log: Logger
}

/** Maximum delay after which other processes also notice that Redis is back. */
const DETECTION_LAG_MS = 3_000
/** Time without calls to Redis after a failed one. Otherwise each request would wait for the timeout of Redis. */
const RETRY_AFTER_MS = 2_000

/**
 * Limiter store on Redis, with a local fallback. While Redis is unavailable, this process uses its share of
 * each limit: the limit divided by the number of processes. The background part of a share starts as used up,
 * because permits from before the outage may still count. For one window after Redis is back, both stores must
 * permit a request, because Redis does not know the permits of the outage.
 */
export class FallbackStore implements LimiterStore {
  private readonly shared: RedisStore
  /** Pauses that this process knows. The permits of this store are not used. */
  private readonly pauses = createMemoryStore()
  /** Store of the latest outage; null before the first one. */
  private local: MemoryStore | null = null
  /**
   * Number of processes that share the limits, as known when Redis was lost. After its return, Redis does not
   * know all processes at first.
   */
  private shareCount = 1
  /** Time of the first successful call to Redis after an outage; null during the outage. */
  private backAt: number | null = null
  private retryRedisAt = 0

  constructor(private readonly options: Options) {
    this.shared = new RedisStore({ ...options, onDisconnect: () => this.enterFallback() })
  }

  /** Number of processes that share the limits, as far as this process knows. */
  get processes(): number {
    return this.shared.processes
  }

  async take(request: PermitRequest): Promise<PermitWait | null> {
    const pause = this.pauses.pauseOf(request)
    if (pause) return pause
    const localRequest = this.withLocalShare(request)
    const local = this.activeLocalStore(request)
    const wait = (await local?.take(localRequest)) ?? null
    if (wait || (local && !this.canUseRedis())) return wait
    try {
      const sharedWait = await this.shared.take(request)
      if (this.local && this.backAt === null) this.backAt = performance.now()
      if (sharedWait) local?.undo(localRequest)
      return sharedWait
    } catch (error) {
      this.retryRedisAt = performance.now() + RETRY_AFTER_MS
      this.enterFallback(error)
      return local ? null : ((await this.local?.take(this.withLocalShare(request))) ?? null)
    }
  }

  settle(request: PermitRequest): void {
    this.activeLocalStore(request)?.settle(this.withLocalShare(request))
    this.shared.settle(request)
  }

  leave(request: PermitRequest): void {
    this.local?.leave(request)
    this.shared.leave(request)
  }

  async pause(provider: string, account: string, ms: number): Promise<void> {
    await this.pauses.pause(provider, account, ms)
    // If Redis is unavailable, only this process keeps the pause.
    if (this.canUseRedis()) await this.shared.pause(provider, account, ms).catch(() => undefined)
  }

  close(): Promise<void> {
    return this.shared.close()
  }

  private canUseRedis(): boolean {
    return this.shared.connected && performance.now() >= this.retryRedisAt
  }

  private enterFallback(error?: unknown): void {
    const isInFallback = this.local !== null && this.backAt === null
    if (isInFallback) return
    this.shareCount = this.isLocalActive() ? Math.max(this.shareCount, this.processes) : this.processes
    this.backAt = null
    this.local = createMemoryStore({ startsUsed: true })
    const { shareCount: processes } = this
    this.options.log.warn({ err: error, processes }, 'Redis unavailable: rate limits divided among processes')
  }

  /**
   * Local store while it still limits requests: until one window after all processes take their permits from
   * Redis again.
   */
  private activeLocalStore({ counters }: PermitRequest): MemoryStore | null {
    return this.isLocalActive(Math.max(0, ...counters.map(({ windowMs }) => windowMs))) ? this.local : null
  }

  private isLocalActive(windowMs = 0): boolean {
    const isOver = this.backAt !== null && performance.now() > this.backAt + windowMs + DETECTION_LAG_MS
    return this.local !== null && !isOver
  }

  private withLocalShare(request: PermitRequest): PermitRequest {
    return { ...request, counters: request.counters.map((counter) => shareOf(counter, this.shareCount)) }
  }
}

/**
 * Share of a limit for one process. If there are more processes than requests, each gets one request in a
 * longer window.
 */
function shareOf({ key, requests, windowMs }: LimitCounter, processes: number): LimitCounter {
  const share = requests / processes
  if (share < 1) return { key, requests: 1, background: 1, windowMs: Math.ceil(windowMs / share) }
  return { key, requests: Math.floor(share), background: backgroundShareOf(Math.floor(share)), windowMs }
}
