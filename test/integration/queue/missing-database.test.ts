import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { redisFindings } from '../../../src/cli/doctor/redis.ts'
import type { Config } from '../../../src/platform/config/config.ts'
import { requireRedisDatabase } from '../../../src/platform/redis/redis-connection.ts'
import { RedisStore } from '../../../src/providers/rate-limit/redis-store.ts'
import { createRedisNotifier } from '../../../src/queue/notifier.ts'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { bullmqHarness, handlers, inTime, withRedis } from '../../support/queue/queue-harness.ts'
import { freePort, TemporaryRedis } from '../../support/queue/temporary-redis.ts'

const REFUSAL = 'Redis refuses the database of REDIS_URL (ERR DB index is out of range): name one that'

describe.skipIf(!withRedis)('a Redis with two databases', () => {
  let server: TemporaryRedis
  let admin: Redis
  beforeAll(async () => {
    server = await TemporaryRedis.start('--databases', '2')
    admin = new Redis(server.url)
  })
  afterAll(async () => {
    admin.disconnect()
    await server[Symbol.asyncDispose]()
  })

  const urlOf = (database: number) => `${server.url}/${database}`

  test('gets no key in database 0 if the URL names database 5', async () => {
    const redisUrl = urlOf(5)
    await using harness = bullmqHarness({ redisUrl, prefix: 'missing' })
    await harness.queue.work(handlers({}))
    const notifier = createRedisNotifier({ redisUrl, prefix: 'missing', onError: () => undefined })
    const store = new RedisStore({ redisUrl, prefix: 'missing', onDisconnect: () => undefined })
    try {
      notifier.notify('topic')
      const failures = async () => harness.failures.map(({ message }) => message)
      await expect.poll(failures).toContain('ERR DB index is out of range')
      await expect(harness.queue.add('reconcile', {})).rejects.toThrow(REFUSAL)
      for (const { run } of harness.queue.checks.slice(0, 1)) await expect(run()).rejects.toThrow(REFUSAL)
      expect(store.connected).toBe(false)
    } finally {
      await Promise.all([notifier.close(), store.close()])
    }
    expect(await admin.keys('*')).toEqual([])
  })

  test('stores the keys in database 1 if the URL names database 1', async () => {
    const done = vi.fn<() => Promise<void>>(async () => undefined)
    await using harness = bullmqHarness({ redisUrl: urlOf(1), prefix: 'present' })
    await harness.queue.work(handlers({ reconcile: done }))
    await harness.queue.add('reconcile', {})
    await vi.waitFor(() => expect(done).toHaveBeenCalled(), inTime)

    expect(await admin.keys('*')).toEqual([])
    expect(await admin.info('keyspace')).toContain('db1:')
  })

  test('is checked at the start', async () => {
    await expect(requireRedisDatabase(urlOf(5))).rejects.toThrow(REFUSAL)
    await requireRedisDatabase(urlOf(1))
    await requireRedisDatabase(`redis://127.0.0.1:${await freePort()}/5`)
  })

  test.each([
    [5, 1, REFUSAL],
    ['abc', 2, 'odograph: REDIS_URL: the database after the host must be a whole number'],
  ])(
    'makes the service exit at start with database %s, with exit code %i',
    async (database, code, message) => {
      const home = await makeHome('sqlite')
      try {
        await using service = ServiceProcess.spawn(home, [], { REDIS_URL: `${server.url}/${database}` })
        await expect(service.becomesReady()).rejects.toThrow(`the service ended with ${code}`)
        expect(service.output()).toContain(message)
        expect(service.output().trim().split('\n')).toHaveLength(1)
      } finally {
        await home.remove()
      }
    },
  )

  test('is a failure for the doctor if it lacks the database', async () => {
    const found = async (database: number) => {
      const findings = await redisFindings({ redisUrl: urlOf(database), queuePrefix: 'doctor' } as Config)
      return findings.filter(({ state, check }) => state === 'fail' && check === 'redis')
    }
    expect(await found(1)).toEqual([])
    expect(await found(5)).toEqual([
      expect.objectContaining({ advice: 'name a database in REDIS_URL that the server has, not 5' }),
    ])
  })
})
