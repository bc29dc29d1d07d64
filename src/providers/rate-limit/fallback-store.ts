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
/** Pause after a failed call to Redis. Without it, each request would wait for the timeout. */
const RETRY_AFTER_MS = 2_000

/**
 * Limiter store on Redis, with a local fallback. While Redis is unavailable, this process uses its share of
 * each limit: the limit divided by the number of processes. A share starts as used up, because permits taken
 * through Redis may still count. After Redis is back, both stores must permit a request for one window: Redis
 * does not know the permits of the outage.
 */
export class FallbackStore implements LimiterStore {
  private readonly shared: RedisStore
  private readonly pauses = createMemoryStore()
  private local: MemoryStore | null = null
  /**
   * Number of processes that share the limits, taken when Redis was lost: after its return Redis may not know
   * it.
   */
  private shareCount = 1
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
    const share = this.shareOf(request)
    const local = this.activeLocalStore(request)
    const wait = (await local?.take(share)) ?? null
    if (wait || (local && !this.canUseRedis())) return wait
    try {
      const sharedWait = await this.shared.take(request)
      if (this.local && this.backAt === null) this.backAt = performance.now()
      if (sharedWait) local?.undo(share)
      return sharedWait
    } catch (error) {
      this.retryRedisAt = performance.now() + RETRY_AFTER_MS
      this.enterFallback(error)
      return local ? null : ((await this.local?.take(this.shareOf(request))) ?? null)
    }
  }

  settle(request: PermitRequest): void {
    this.activeLocalStore(request)?.settle(this.shareOf(request))
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
    this.local = createMemoryStore({ used: true })
    const { shareCount: processes } = this
    this.options.log.warn({ err: error, processes }, 'Redis unavailable: rate limits divided among processes')
  }

  /**
   * Local store while it still limits requests. That ends one window after all processes report their permits
   * to Redis again.
   */
  private activeLocalStore({ counters }: PermitRequest): MemoryStore | null {
    return this.isLocalActive(Math.max(0, ...counters.map(({ windowMs }) => windowMs))) ? this.local : null
  }

  private isLocalActive(windowMs = 0): boolean {
    const isOver = this.backAt !== null && performance.now() > this.backAt + windowMs + DETECTION_LAG_MS
    return this.local !== null && !isOver
  }

  private shareOf(request: PermitRequest): PermitRequest {
    return { ...request, counters: request.counters.map((counter) => shareOf(counter, this.shareCount)) }
  }
}

/**
 * Share of a limit for one process. With more processes than requests, each gets one request in a longer
 * window.
 */
function shareOf({ key, requests, windowMs }: LimitCounter, processes: number): LimitCounter {
  const share = requests / processes
  if (share < 1) return { key, requests: 1, background: 1, windowMs: Math.ceil(windowMs / share) }
  return { key, requests: Math.floor(share), background: backgroundShareOf(Math.floor(share)), windowMs }
}
