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

/** How much later than this process another may notice that Redis is back. */
const NOTICED_WITHIN_MS = 3_000
/** How long a Redis that did not answer is not asked again: each would wait for it. */
const REST_MS = 2_000

/**
 * The ledger on Redis, and while that is out of reach this process's share of each budget: divided by how many
 * processes there are. A share begins as used, for what was taken through Redis may still count; and once Redis is back
 * both must agree for a window, for it does not know what was taken in the meantime.
 */
export class FallbackStore implements LimiterStore {
  private readonly shared: RedisStore
  private readonly pauses = createMemoryStore()
  private own: MemoryStore | null = null
  /** Between how many processes budgets were divided when Redis was lost: it may have forgotten when it is back. */
  private sharers = 1
  private backAt: number | null = null
  private restUntil = 0

  constructor(private readonly options: Options) {
    this.shared = new RedisStore({ ...options, onLost: () => this.lose() })
  }

  /** How many processes share the budgets, as far as this one knows. */
  get processes(): number {
    return this.shared.processes
  }

  async take(ask: PermitRequest): Promise<PermitWait | null> {
    const pause = this.pauses.pauseOf(ask)
    if (pause) return pause
    const mine = this.shareOf(ask)
    const own = this.ownFor(ask)
    const wait = (await own?.take(mine)) ?? null
    if (wait || (own && !this.mayAsk())) return wait
    try {
      const sharedWait = await this.shared.take(ask)
      if (this.own && this.backAt === null) this.backAt = performance.now()
      if (sharedWait) own?.undo(mine)
      return sharedWait
    } catch (error) {
      this.restUntil = performance.now() + REST_MS
      this.lose(error)
      return own ? null : ((await this.own?.take(this.shareOf(ask))) ?? null)
    }
  }

  settle(ask: PermitRequest): void {
    this.ownFor(ask)?.settle(this.shareOf(ask))
    this.shared.settle(ask)
  }

  leave(ask: PermitRequest): void {
    this.own?.leave(ask)
    this.shared.leave(ask)
  }

  async pause(provider: string, account: string, ms: number): Promise<void> {
    await this.pauses.pause(provider, account, ms)
    // Where Redis cannot be told, this process keeps the pause by itself.
    if (this.mayAsk()) await this.shared.pause(provider, account, ms).catch(() => undefined)
  }

  close(): Promise<void> {
    return this.shared.close()
  }

  private mayAsk(): boolean {
    return this.shared.connected && performance.now() >= this.restUntil
  }

  private lose(error?: unknown): void {
    const isLost = this.own !== null && this.backAt === null
    if (isLost) return
    this.sharers = this.decides() ? Math.max(this.sharers, this.processes) : this.processes
    this.backAt = null
    this.own = createMemoryStore({ used: true })
    const { sharers: processes } = this
    this.options.log.warn({ err: error, processes }, 'Redis is out of reach: budgets are divided')
  }

  /** This process's ledger, as long as it decides: until others, too, have told Redis for a window what they take. */
  private ownFor({ counters }: PermitRequest): MemoryStore | null {
    return this.decides(Math.max(0, ...counters.map(({ windowMs }) => windowMs))) ? this.own : null
  }

  private decides(windowMs = 0): boolean {
    const over = this.backAt !== null && performance.now() > this.backAt + windowMs + NOTICED_WITHIN_MS
    return this.own !== null && !over
  }

  private shareOf(ask: PermitRequest): PermitRequest {
    return { ...ask, counters: ask.counters.map((counter) => shareOf(counter, this.sharers)) }
  }
}

/** Where there are more processes than requests, each has one in a longer time. */
function shareOf({ key, requests, windowMs }: LimitCounter, processes: number): LimitCounter {
  const share = requests / processes
  if (share < 1) return { key, requests: 1, background: 1, windowMs: Math.ceil(windowMs / share) }
  return { key, requests: Math.floor(share), background: backgroundShareOf(Math.floor(share)), windowMs }
}
