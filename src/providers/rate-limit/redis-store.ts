import { randomUUID } from 'node:crypto'
import type { Redis, Result } from 'ioredis'
import { producerConnection, withRedis } from '../../platform/redis/redis-connection.ts'
import type { PermitRequest, LimiterStore, PermitWait } from './limiter-store.ts'
import { PAUSE, PRESENT, SETTLE, TAKE } from './redis-scripts.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    budgetTake(keys: number, ...rest: (string | number)[]): Result<[number, number, string], Context>
    budgetSettle(keys: number, ...rest: (string | number)[]): Result<null, Context>
    budgetPause(keys: number, ...rest: (string | number)[]): Result<null, Context>
    budgetPresent(keys: number, ...rest: (string | number)[]): Result<number, Context>
  }
}

interface Options {
  readonly redisUrl: string
  /** Begins every key. */
  readonly prefix: string
  /** Told when the connection is lost. */
  onLost(): void
}

const PRESENT_EVERY_MS = 2_000
const ABSENT_AFTER_MS = 10_000
/** How many processes there are until Redis has said so. */
const PROCESSES_UNTOLD = 4

/** The ledger of all processes on one Redis. It fails where Redis is out of reach. */
export class RedisStore implements LimiterStore {
  private readonly redis: Redis
  private readonly process = randomUUID()
  private readonly places = new Map<string, string>()
  /** What was answered when, and Redis could not be told. */
  private untold: { readonly ask: PermitRequest; readonly at: number }[] = []
  private readonly beat: NodeJS.Timeout
  private counted = PROCESSES_UNTOLD

  constructor(private readonly options: Options) {
    const redis = producerConnection(options.redisUrl)
    redis.defineCommand('budgetTake', { lua: TAKE })
    redis.defineCommand('budgetSettle', { lua: SETTLE })
    redis.defineCommand('budgetPause', { lua: PAUSE })
    redis.defineCommand('budgetPresent', { lua: PRESENT })
    redis.on('close', options.onLost)
    redis.on('ready', () => void this.present())
    this.beat = setInterval(() => void this.present(), PRESENT_EVERY_MS).unref()
    this.redis = redis
  }

  /** How many processes ask providers, as far as is known. */
  get processes(): number {
    return this.counted
  }

  get connected(): boolean {
    return this.redis.status === 'ready'
  }

  async take(ask: PermitRequest): Promise<PermitWait | null> {
    const keys = [
      this.pauseKey(ask.provider, ask.account),
      ...ask.counters.flatMap(({ key }) => this.keysOf(ask, key)),
    ]
    const numbers = ask.counters.flatMap(({ requests, background, windowMs }) => [
      requests,
      background,
      windowMs,
    ])
    const place = this.places.get(ask.id) ?? ''
    const [waitMs, paused, given] = await withRedis(this.redis, () =>
      this.redis.budgetTake(keys.length, ...keys, ask.id, ask.live ? 1 : 0, place, ...numbers),
    )
    for (const late of this.untold.splice(0)) if (stillCounts(late)) this.settle(late.ask)
    if (waitMs > 0) this.places.set(ask.id, given)
    else this.places.delete(ask.id)
    return waitMs > 0 ? { waitMs, paused: paused === 1 } : null
  }

  settle(ask: PermitRequest): void {
    const keys = ask.counters.flatMap(({ key }) => this.keysOf(ask, key).slice(0, 2))
    const windows = ask.counters.map(({ windowMs }) => windowMs)
    this.redis.budgetSettle(keys.length, ...keys, ask.id, ask.live ? 1 : 0, ...windows).catch(() => {
      this.untold = [...this.untold.filter(stillCounts), { ask, at: performance.now() }]
    })
  }

  leave(ask: PermitRequest): void {
    const place = this.places.get(ask.id)
    this.places.delete(ask.id)
    if (place === undefined) return
    // A place that Redis cannot be told to free is freed by its time.
    for (const { key } of ask.counters)
      this.redis.zrem(this.keysOf(ask, key)[2], place).catch(() => undefined)
  }

  async pause(provider: string, account: string, ms: number): Promise<void> {
    const key = this.pauseKey(provider, account)
    await withRedis(this.redis, () => this.redis.budgetPause(1, key, Math.ceil(ms)))
  }

  async close(): Promise<void> {
    clearInterval(this.beat)
    this.redis.off('close', this.options.onLost)
    await withRedis(this.redis, () => this.redis.zrem(this.presenceKey, this.process)).catch(() => undefined)
    this.redis.disconnect()
  }

  private async present(): Promise<void> {
    try {
      this.counted = await this.redis.budgetPresent(1, this.presenceKey, this.process, ABSENT_AFTER_MS)
    } catch {
      // Redis is out of reach: the last count stands.
    }
  }

  private get presenceKey(): string {
    return `${this.options.prefix}:budgets:processes`
  }

  private pauseKey(provider: string, account: string): string {
    return `${this.rateLimits(provider)}:pause:${account}`
  }

  /** All holds, those of the background, and the line. */
  private keysOf({ provider }: PermitRequest, key: string): [string, string, string] {
    const count = `${this.rateLimits(provider)}:${key}`
    return [`${count}:all`, `${count}:background`, `${count}:line`]
  }

  /**
   * Key of a provider. The braces put all keys that one script touches into one slot of a cluster, unless the
   * prefix has braces already.
   */
  private rateLimits(provider: string): string {
    return `${this.options.prefix}:{budgets:${provider}}`
  }
}

const stillCounts = ({ ask, at }: { ask: PermitRequest; at: number }): boolean =>
  performance.now() - at < Math.max(...ask.counters.map(({ windowMs }) => windowMs))
