import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compileQueue, type CompiledQueue } from '../../support/queue/compiled-queue.ts'
import { freePort, TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import {
  bullmqHarness,
  handlers,
  randomPrefix,
  redisUrl,
  withRedis,
  inTime,
} from '../../support/queue/queue-harness.ts'

const sync = { connectionId: 'conn_1', syncId: 'sync_1' }

describe.skipIf(!withRedis)('without Redis', () => {
  test('adding, scheduling and waiting are refused', async () => {
    await using harness = bullmqHarness({ redisUrl: `redis://127.0.0.1:${await freePort()}` })
    await expect(harness.queue.add('reconcile', {})).rejects.toThrow('Redis cannot be reached')
    await expect(harness.queue.schedule('reconcile', 'a', {}, 1_000)).rejects.toThrow(
      'Redis cannot be reached',
    )
    await expect(harness.queue.unschedule('reconcile', 'a')).rejects.toThrow('Redis cannot be reached')
    await expect(harness.queue.idle()).rejects.toThrow('Redis cannot be reached')
  })

  test('a worker starts and closes', async () => {
    await using harness = bullmqHarness({ redisUrl: `redis://127.0.0.1:${await freePort()}` })
    await harness.queue.work(handlers({}))
    await vi.waitFor(() => expect(harness.failures).not.toHaveLength(0), inTime)
    await harness.queue.close()

    expect(harness.failures[0]).toMatchObject({ jobId: undefined, final: false })
  })

  test('adding fails if Redis accepts connections and never answers', async () => {
    await using redis = await TemporaryRedis.start()
    await using harness = bullmqHarness({ redisUrl: redis.url })
    await harness.queue.add('reconcile', {})
    redis.freeze()
    await expect(harness.queue.add('reconcile', {})).rejects.toThrow('Redis cannot be reached')

    redis.thaw()
    await vi.waitFor(() => harness.queue.add('reconcile', {}), inTime)
  })
})

describe.skipIf(!withRedis)('when Redis comes back', () => {
  test('jobs are added and run again', async () => {
    await using redis = await TemporaryRedis.start()
    await using harness = bullmqHarness({ redisUrl: redis.url })
    const seen: string[] = []
    await harness.queue.work(handlers({ 'sync-connection': async ({ syncId }) => void seen.push(syncId) }))
    await harness.queue.add('sync-connection', { ...sync, syncId: 'before' })
    await harness.queue.add('sync-connection', { ...sync, syncId: 'kept' }, { delayMs: 2_000 })
    await harness.queue.idle()
    expect(seen).toEqual(['before'])

    await redis.kill()
    await expect(harness.queue.add('sync-connection', sync)).rejects.toThrow('Redis cannot be reached')

    await redis.start()
    await vi.waitFor(() => harness.queue.add('sync-connection', { ...sync, syncId: 'after' }), inTime)
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(['after', 'before', 'kept']), inTime)
  })

  test('a queue that started without it works', async () => {
    await using redis = await TemporaryRedis.start()
    await redis.kill()
    await using harness = bullmqHarness({ redisUrl: redis.url })
    const handler = vi.fn<() => Promise<void>>(async () => {})
    await harness.queue.work(handlers({ reconcile: handler }))
    await expect(harness.queue.add('reconcile', {})).rejects.toThrow('Redis cannot be reached')

    await redis.start()
    await vi.waitFor(() => harness.queue.add('reconcile', {}), inTime)
    await vi.waitFor(() => expect(handler).toHaveBeenCalled(), inTime)
    expect(handler).toHaveBeenCalledOnce()
  })
})

describe.skipIf(!withRedis)('two processes', () => {
  let compiled: CompiledQueue
  beforeAll(async () => {
    compiled = await compileQueue()
  })
  afterAll(() => compiled[Symbol.asyncDispose]())

  test('a job whose worker is killed is resumed by another, as the same attempt', async () => {
    const prefix = randomPrefix()
    await using harness = bullmqHarness({ prefix })
    const killed = startWorker(compiled.url, prefix)
    await harness.queue.add('sync-connection', sync, { key: 'conn_1' })
    await once(killed, 'message')
    await kill(killed)

    const attempts: number[] = []
    await harness.queue.work(
      handlers({ 'sync-connection': async (_payload, run) => void attempts.push(run.attempt) }),
    )
    await vi.waitFor(() => expect(attempts).toEqual([1]), inTime)
    expect(harness.failures).toMatchObject([
      { message: 'The worker of the job died or was blocked', final: false },
    ])
  })

  test('a job that kills six workers finally fails, and frees its key', async () => {
    const prefix = randomPrefix()
    await using harness = bullmqHarness({ prefix })
    const killed = startWorker(compiled.url, prefix)
    await harness.queue.add('sync-connection', sync, { key: 'conn_1' })
    await once(killed, 'message')
    await setDeaths(`${prefix}:sync-connection:1`, 5)
    await kill(killed)

    const handler = vi.fn<() => Promise<void>>(async () => {})
    await harness.queue.work(handlers({ 'sync-connection': handler }))
    await vi.waitFor(() => expect(harness.failures.some(({ final }) => final)).toBe(true), inTime)
    expect(harness.failures.at(-1)).toMatchObject({ jobId: '1', message: expect.stringContaining('stalled') })
    expect(handler).not.toHaveBeenCalled()

    await harness.queue.add('sync-connection', sync, { key: 'conn_1' })
    await vi.waitFor(() => expect(handler).toHaveBeenCalledOnce(), inTime)
  })

  test('a job of a closing worker runs in another at once, as the same attempt', async () => {
    const prefix = randomPrefix()
    await using harness = bullmqHarness({ prefix })
    const closing = startWorker(compiled.url, prefix)
    await harness.queue.add('sync-connection', sync)
    await once(closing, 'message')
    const attempts: number[] = []
    await harness.queue.work(
      handlers({ 'sync-connection': async (_payload, run) => void attempts.push(run.attempt) }),
    )
    closing.send('close')
    await vi.waitFor(() => expect(attempts).toEqual([1]), inTime)

    if (closing.exitCode === null) await once(closing, 'exit')
    expect(closing.exitCode).toBe(0)
    expect(harness.failures).toEqual([])
  })

  test('a job absorbs that of another process with its key', async () => {
    const prefix = randomPrefix()
    await using here = bullmqHarness({ prefix })
    await using there = bullmqHarness({ prefix })
    const handler = vi.fn<() => Promise<void>>(async () => {})
    await here.queue.add('reconcile', {}, { key: 'a' })
    await there.queue.add('reconcile', {}, { key: 'a' })
    await there.queue.work(handlers({ reconcile: handler }))
    await here.queue.idle()

    expect(handler).toHaveBeenCalledOnce()
  })
})

test.skipIf(!withRedis)('a job runs with the policies of production', async () => {
  const prefix = randomPrefix()
  await using harness = bullmqHarness({ prefix, policies: undefined })
  const handler = vi.fn<() => Promise<void>>(async () => {})
  await harness.queue.work(handlers({ reconcile: handler }))
  await harness.queue.add('reconcile', {})
  await harness.queue.idle()
  expect(handler).toHaveBeenCalledOnce()
})

/** Sets the number of workers that died during a job. */
async function setDeaths(jobKey: string, deaths: number): Promise<void> {
  const redis = new Redis(redisUrl)
  await redis.hset(jobKey, 'stc', deaths)
  redis.disconnect()
}

function startWorker(queueUrl: string, prefix: string): ChildProcess {
  return fork(
    join(import.meta.dirname, '../../support/queue/worker-program.mjs'),
    [queueUrl, redisUrl, prefix],
    { execArgv: [] },
  )
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
