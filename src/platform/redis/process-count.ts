import { randomUUID } from 'node:crypto'
import type { Redis, Result } from 'ioredis'
import { withRedis } from './redis-connection.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    processPresent(keys: number, ...rest: (string | number)[]): Result<number, Context>
  }
}

const HEARTBEAT_INTERVAL_MS = 2_000
const HEARTBEAT_TTL_MS = 10_000
/** Assumed number of processes until Redis reports it. */
const DEFAULT_PROCESSES = 4

/** Records the heartbeat of a process and returns the number of live processes. ARGV: process, time to live in ms. */
const PRESENT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.ceil(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
`

/** Counts the live processes that send heartbeats to the same Redis key. */
export class ProcessCount {
  private readonly process = randomUUID()
  private readonly heartbeat: NodeJS.Timeout
  private current = DEFAULT_PROCESSES

  constructor(
    private readonly redis: Redis,
    private readonly key: string,
  ) {
    redis.defineCommand('processPresent', { lua: PRESENT })
    redis.on('ready', () => void this.sendHeartbeat())
    this.heartbeat = setInterval(() => void this.sendHeartbeat(), HEARTBEAT_INTERVAL_MS).unref()
  }

  /** Number of processes, as of the last heartbeat. */
  get value(): number {
    return this.current
  }

  /** Removes this process from the count. */
  async close(): Promise<void> {
    clearInterval(this.heartbeat)
    await withRedis(this.redis, () => this.redis.zrem(this.key, this.process)).catch(() => undefined)
  }

  private async sendHeartbeat(): Promise<void> {
    try {
      this.current = await this.redis.processPresent(1, this.key, this.process, HEARTBEAT_TTL_MS)
    } catch {
      // Redis is unavailable: keep the last count.
    }
  }
}
