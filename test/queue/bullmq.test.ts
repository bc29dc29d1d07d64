import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compileQueue, type CompiledQueue } from './compiled-queue.ts'
import { freePort, OwnRedis } from './own-redis.ts'
import { bullmqRig, handlers, randomPrefix, redisUrl, withRedis } from './rig.ts'

const sync = { connectionId: 'conn_1', syncId: 'sync_1' }
const inTime = { timeout: 15_000, interval: 20 }

describe.skipIf(!withRedis)('without Redis', () => {
  test('adding, scheduling and waiting are refused within a second and a half', async () => {
    await using rig = bullmqRig({ redisUrl: `redis://127.0.0.1:${await freePort()}` })
    const startedAt = Date.now()

    await expect(rig.queue.add('reconcile', {})).rejects.toThrow('Redis cannot be reached')
    await expect(rig.queue.every('reconcile', 'a', {}, 1_000)).rejects.toThrow('Redis cannot be reached')
    await expect(rig.queue.unschedule('reconcile', 'a')).rejects.toThrow('Redis cannot be reached')
    await expect(rig.queue.idle()).rejects.toThrow('Redis cannot be reached')
    expect(Date.now() - startedAt).toBeLessThan(1_500)
  })

  test('a worker starts and closes all the same', async () => {
    await using rig = bullmqRig({ redisUrl: `redis://127.0.0.1:${await freePort()}` })
    await rig.queue.work(handlers({}))
    await vi.waitFor(() => expect(rig.failures).not.toHaveLength(0), inTime)
    const closingAt = Date.now()
    await rig.queue.close()

    expect(rig.failures[0]).toMatchObject({ jobId: undefined, final: false })
    expect(Date.now() - closingAt).toBeLessThan(8_000)
  })

  test('a Redis that accepts connections and never answers is told apart as fast', async () => {
    await using redis = await OwnRedis.start()
    await using rig = bullmqRig({ redisUrl: redis.url })
    await rig.queue.add('reconcile', {})
    redis.freeze()
    const startedAt = Date.now()
    await expect(rig.queue.add('reconcile', {})).rejects.toThrow('Redis cannot be reached')
    expect(Date.now() - startedAt).toBeLessThan(1_500)

    redis.thaw()
    await vi.waitFor(() => rig.queue.add('reconcile', {}), inTime)
  })
})

describe.skipIf(!withRedis)('when Redis comes back', () => {
  test('jobs are added and run again', async () => {
    await using redis = await OwnRedis.start()
    await using rig = bullmqRig({ redisUrl: redis.url })
    const seen: string[] = []
    await rig.queue.work(handlers({ 'sync-connection': async ({ syncId }) => void seen.push(syncId) }))
    await rig.queue.add('sync-connection', { ...sync, syncId: 'before' })
    await rig.queue.add('sync-connection', { ...sync, syncId: 'kept' }, { delayMs: 2_000 })
    await rig.queue.idle()
    expect(seen).toEqual(['before'])

    await redis.kill()
    const startedAt = Date.now()
    await expect(rig.queue.add('sync-connection', sync)).rejects.toThrow('Redis cannot be reached')
    expect(Date.now() - startedAt).toBeLessThan(1_500)

    await redis.start()
    await vi.waitFor(() => rig.queue.add('sync-connection', { ...sync, syncId: 'after' }), inTime)
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(['after', 'before', 'kept']), inTime)
  })

  test('a queue that started without it works', async () => {
    await using redis = await OwnRedis.start()
    await redis.kill()
    await using rig = bullmqRig({ redisUrl: redis.url })
    const handler = vi.fn<() => Promise<void>>(async () => {})
    await rig.queue.work(handlers({ reconcile: handler }))
    await expect(rig.queue.add('reconcile', {})).rejects.toThrow('Redis cannot be reached')

    await redis.start()
    await vi.waitFor(() => rig.queue.add('reconcile', {}), inTime)
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

  test('a job whose worker is killed is resumed by another within 15 s, as the same attempt', async () => {
    const prefix = randomPrefix()
    await using rig = bullmqRig({ prefix })
    const dying = startWorker(compiled.url, prefix)
    await rig.queue.add('sync-connection', sync, { key: 'conn_1' })
    await once(dying, 'message')
    await kill(dying)
    const killedAt = Date.now()

    const attempts: number[] = []
    await rig.queue.work(
      handlers({ 'sync-connection': async (_payload, run) => void attempts.push(run.attempt) }),
    )
    await vi.waitFor(() => expect(attempts).toEqual([1]), inTime)
    expect(Date.now() - killedAt).toBeLessThan(15_000)
    expect(rig.failures).toMatchObject([{ message: 'The worker of the job died', final: false }])
  })

  test('a job that has killed six workers has finally failed, and frees its key', async () => {
    const prefix = randomPrefix()
    await using rig = bullmqRig({ prefix })
    const dying = startWorker(compiled.url, prefix)
    await rig.queue.add('sync-connection', sync, { key: 'conn_1' })
    await once(dying, 'message')
    await setDeaths(`${prefix}:sync-connection:1`, 5)
    await kill(dying)

    const handler = vi.fn<() => Promise<void>>(async () => {})
    await rig.queue.work(handlers({ 'sync-connection': handler }))
    await vi.waitFor(() => expect(rig.failures.some(({ final }) => final)).toBe(true), inTime)
    expect(rig.failures.at(-1)).toMatchObject({ jobId: '1', message: expect.stringContaining('stalled') })
    expect(handler).not.toHaveBeenCalled()

    await rig.queue.add('sync-connection', sync, { key: 'conn_1' })
    await vi.waitFor(() => expect(handler).toHaveBeenCalledOnce(), inTime)
  })

  test('a job that a closing worker gives back runs at once elsewhere, as the same attempt', async () => {
    const prefix = randomPrefix()
    await using rig = bullmqRig({ prefix })
    const leaving = startWorker(compiled.url, prefix)
    await rig.queue.add('sync-connection', sync)
    await once(leaving, 'message')
    const attempts: number[] = []
    await rig.queue.work(
      handlers({ 'sync-connection': async (_payload, run) => void attempts.push(run.attempt) }),
    )
    leaving.send('close')
    await vi.waitFor(() => expect(attempts).toEqual([1]), { timeout: 3_000 })

    if (leaving.exitCode === null) await once(leaving, 'exit')
    expect(leaving.exitCode).toBe(0)
    expect(rig.failures).toEqual([])
  })

  test('a job of one process absorbs that of another with its key', async () => {
    const prefix = randomPrefix()
    await using here = bullmqRig({ prefix })
    await using there = bullmqRig({ prefix })
    const handler = vi.fn<() => Promise<void>>(async () => {})
    await here.queue.add('reconcile', {}, { key: 'a' })
    await there.queue.add('reconcile', {}, { key: 'a' })
    await there.queue.work(handlers({ reconcile: handler }))
    await here.queue.idle()

    expect(handler).toHaveBeenCalledOnce()
  })
})

test.skipIf(!withRedis)('the real table of jobs runs', async () => {
  const prefix = randomPrefix()
  await using rig = bullmqRig({ prefix, policies: undefined })
  const handler = vi.fn<() => Promise<void>>(async () => {})
  await rig.queue.work(handlers({ reconcile: handler }))
  await rig.queue.add('reconcile', {})
  await rig.queue.idle()
  expect(handler).toHaveBeenCalledOnce()
})

/** Makes BullMQ believe that the job has outlived this many workers. */
async function setDeaths(jobKey: string, deaths: number): Promise<void> {
  const redis = new Redis(redisUrl)
  await redis.hset(jobKey, 'stc', deaths)
  redis.disconnect()
}

function startWorker(queueUrl: string, prefix: string): ChildProcess {
  return fork(join(import.meta.dirname, 'worker-program.mjs'), [queueUrl, redisUrl, prefix], { execArgv: [] })
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
