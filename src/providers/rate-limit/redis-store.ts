import type { Redis, Result } from 'ioredis'
import { ProcessCount } from '../../platform/redis/process-count.ts'
import { producerConnection, withRedis } from '../../platform/redis/redis-connection.ts'
import type { PermitRequest, LimiterStore, PermitWait } from './limiter-store.ts'
import { PAUSE, SETTLE, TAKE } from './redis-scripts.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    budgetTake(keys: number, ...rest: (string | number)[]): Result<[number, number, string], Context>
    budgetSettle(keys: number, ...rest: (string | number)[]): Result<null, Context>
    budgetPause(keys: number, ...rest: (string | number)[]): Result<null, Context>
  }
}

interface Options {
  readonly redisUrl: string
  /** Prefix of every key. */
  readonly prefix: string
  /** Called when the connection is lost. */
  onDisconnect(): void
}

/** Limiter store that all processes on one Redis share. Its methods reject if Redis is unavailable. */
export class RedisStore implements LimiterStore {
  private readonly redis: Redis
  private readonly processCount: ProcessCount
  private readonly positions = new Map<string, string>()
  /** Requests with a response that Redis could not record. The next successful call records them. */
  private unsettled: { readonly request: PermitRequest; readonly at: number }[] = []

  constructor(private readonly options: Options) {
    const redis = producerConnection(options.redisUrl)
    redis.defineCommand('budgetTake', { lua: TAKE })
    redis.defineCommand('budgetSettle', { lua: SETTLE })
    redis.defineCommand('budgetPause', { lua: PAUSE })
    redis.on('close', options.onDisconnect)
    this.processCount = new ProcessCount(redis, `${options.prefix}:budgets:processes`)
    this.redis = redis
  }

  /** Number of processes that send requests to providers, as of the last heartbeat. */
  get processes(): number {
    return this.processCount.value
  }

  get connected(): boolean {
    return this.redis.status === 'ready'
  }

  async take(request: PermitRequest): Promise<PermitWait | null> {
    const keys = [
      this.pauseKey(request.provider, request.account),
      ...request.counters.flatMap(({ key }) => this.keysOf(request, key)),
    ]
    const numbers = request.counters.flatMap(({ requests, background, windowMs }) => [
      requests,
      background,
      windowMs,
    ])
    const position = this.positions.get(request.id) ?? ''
    const [waitMs, paused, assigned] = await withRedis(this.redis, () =>
      this.redis.budgetTake(keys.length, ...keys, request.id, request.live ? 1 : 0, position, ...numbers),
    )
    for (const unsettled of this.unsettled.splice(0))
      if (stillCounts(unsettled)) this.settle(unsettled.request)
    if (waitMs > 0) this.positions.set(request.id, assigned)
    else this.positions.delete(request.id)
    return waitMs > 0 ? { waitMs, paused: paused === 1 } : null
  }

  settle(request: PermitRequest): void {
    const keys = request.counters.flatMap(({ key }) => this.keysOf(request, key).slice(0, 2))
    const windows = request.counters.map(({ windowMs }) => windowMs)
    this.redis.budgetSettle(keys.length, ...keys, request.id, request.live ? 1 : 0, ...windows).catch(() => {
      this.unsettled = [...this.unsettled.filter(stillCounts), { request, at: performance.now() }]
    })
  }

  leave(request: PermitRequest): void {
    const position = this.positions.get(request.id)
    this.positions.delete(request.id)
    if (position === undefined) return
    // If Redis is unavailable, the position expires on its own.
    for (const { key } of request.counters)
      this.redis.zrem(this.keysOf(request, key)[2], position).catch(() => undefined)
  }

  async pause(provider: string, account: string, ms: number): Promise<void> {
    const key = this.pauseKey(provider, account)
    await withRedis(this.redis, () => this.redis.budgetPause(1, key, Math.ceil(ms)))
  }

  async close(): Promise<void> {
    this.redis.off('close', this.options.onDisconnect)
    await this.processCount.close()
    this.redis.disconnect()
  }

  private pauseKey(provider: string, account: string): string {
    return `${this.providerPrefix(provider)}:pause:${account}`
  }

  /** Keys of a counter: all permits, background permits, queue. */
  private keysOf({ provider }: PermitRequest, key: string): [string, string, string] {
    const count = `${this.providerPrefix(provider)}:${key}`
    return [`${count}:all`, `${count}:background`, `${count}:line`]
  }

  /**
   * Prefix of a provider's keys. The braces put all keys that one script touches into one slot of a Redis cluster,
   * unless the configured prefix has braces already.
   */
  private providerPrefix(provider: string): string {
    return `${this.options.prefix}:{budgets:${provider}}`
  }
}

/** Whether the provider still counts a request that was answered at a time. */
const stillCounts = ({ request, at }: { request: PermitRequest; at: number }): boolean =>
  performance.now() - at < Math.max(...request.counters.map(({ windowMs }) => windowMs))
