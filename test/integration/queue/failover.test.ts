import { Redis } from 'ioredis'
import { describe, expect, test, vi } from 'vitest'
import { createRedisNotifier } from '../../../src/queue/notifier.ts'
import { TcpProxy } from '../../support/database/tcp-proxy.ts'
import { bullmqHarness, handlers, inTime, withRedis } from '../../support/queue/queue-harness.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'

/** A primary and its replica behind one name. After a failover the name leads to the new primary. */
class RedisPair implements AsyncDisposable {
  private constructor(
    private readonly first: TemporaryRedis,
    private readonly second: TemporaryRedis,
    private readonly proxy: TcpProxy,
  ) {}

  static async start(): Promise<RedisPair> {
    const [first, second] = [await TemporaryRedis.start(), await TemporaryRedis.start()]
    await replicate(second, first)
    return new RedisPair(first, second, await TcpProxy.to(first.port))
  }

  get url(): string {
    return `redis://127.0.0.1:${this.proxy.port}`
  }

  /** Demotes the primary. Its connections stay open. */
  async demote(): Promise<void> {
    const promoted = new Redis(this.second.url)
    await promoted.replicaof('NO', 'ONE')
    promoted.disconnect()
    await replicate(this.first, this.second)
  }

  promote(): void {
    this.proxy.redirect(this.second.port)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]()
    await this.first[Symbol.asyncDispose]()
    await this.second[Symbol.asyncDispose]()
  }
}

async function replicate(replica: TemporaryRedis, primary: TemporaryRedis): Promise<void> {
  const admin = new Redis(replica.url)
  await admin.replicaof('127.0.0.1', primary.port)
  await vi.waitFor(
    async () => expect(await admin.info('replication')).toContain('master_link_status:up'),
    inTime,
  )
  admin.disconnect()
}

describe.skipIf(!withRedis)('a Redis primary that becomes a replica', () => {
  test('stops no job after the name leads to the new primary, and is not ready until then', async () => {
    await using pair = await RedisPair.start()
    await using harness = bullmqHarness({ redisUrl: pair.url })
    const { queue } = harness
    const redis = queue.checks.find(({ name }) => name === 'redis')
    const ran: string[] = []
    await queue.work(handlers({ reconcile: async () => void ran.push('reconcile') }))
    await queue.add('reconcile', {})
    await vi.waitFor(() => expect(ran).toHaveLength(1), inTime)
    await redis?.run()

    await pair.demote()
    await expect(redis?.run()).rejects.toThrow(/Redis .*(read only|READONLY|replica)/i)
    pair.promote()
    await vi.waitFor(() => queue.add('reconcile', {}), inTime)
    await vi.waitFor(() => expect(ran.length).toBeGreaterThan(1), inTime)
    await vi.waitFor(() => redis?.run(), inTime)
  })

  test('delivers notifications again once the name leads to the new primary', async () => {
    await using pair = await RedisPair.start()
    const options = { redisUrl: pair.url, prefix: 'odograph-test', onError: () => undefined }
    const [one, other] = [createRedisNotifier(options), createRedisNotifier(options)]
    let received = 0
    other.subscribe('topic', () => (received += 1))
    await vi.waitFor(() => {
      one.notify('topic')
      expect(received).toBeGreaterThan(1)
    }, inTime)
    await pair.demote()
    pair.promote()
    received = 0
    await vi.waitFor(() => {
      one.notify('topic')
      expect(received).toBeGreaterThan(1)
    }, inTime)
    await one.close()
    await other.close()
  })
})
