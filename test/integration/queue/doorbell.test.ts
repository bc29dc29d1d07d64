import { afterEach, describe, expect, test, vi } from 'vitest'
import { createInProcessNotifier, createRedisNotifier, type Notifier } from '../../../src/queue/notifier.ts'
import { freePort, TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import { randomPrefix, redisUrl, withRedis, inTime } from '../../support/queue/queue-harness.ts'

const opened: Notifier[] = []

afterEach(async () => {
  for (const notifier of opened.splice(0)) await notifier.close()
})

describe.each([
  ['in process', () => createInProcessNotifier()] as const,
  ...(withRedis
    ? ([['on Redis', () => createRedisNotifier({ redisUrl, prefix: randomPrefix() })]] as const)
    : []),
])('a doorbell %s', (_name, create) => {
  test('calls every ear of the topic, and no other, before ring returns', () => {
    const notifier = keep(create())
    const listeners = [vi.fn<() => void>(), vi.fn<() => void>()]
    const other = vi.fn<() => void>()
    for (const listener of listeners) notifier.subscribe('events', listener)
    notifier.subscribe('syncs', other)
    notifier.notify('events')
    notifier.notify('events')

    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(2)
    expect(other).not.toHaveBeenCalled()
  })

  test('forgets an ear that has left, and only that one', () => {
    const notifier = keep(create())
    const listener = vi.fn<() => void>()
    const leave = notifier.subscribe('events', listener)
    notifier.subscribe('events', listener)
    leave()
    leave()
    notifier.notify('events')

    expect(listener).toHaveBeenCalledOnce()
  })

  test('does not throw when nobody listens or when it is closed', async () => {
    const notifier = keep(create())
    expect(() => notifier.notify('events')).not.toThrow()
    await notifier.close()
    expect(() => notifier.notify('events')).not.toThrow()
    await notifier.close()
  })
})

test('an ear that throws is reported and keeps nobody from hearing', () => {
  const onError = vi.fn<(error: Error) => void>()
  const notifier = keep(createInProcessNotifier({ onError }))
  const listener = vi.fn<() => void>()
  notifier.subscribe('events', () => {
    throw new Error('deaf')
  })
  notifier.subscribe('events', listener)
  notifier.notify('events')

  expect(listener).toHaveBeenCalledOnce()
  expect(onError).toHaveBeenCalledWith(new Error('deaf'))
})

test.skipIf(!withRedis)(
  'a ring reaches the ears of another process, and those of its own only once',
  async () => {
    const prefix = randomPrefix()
    const [here, there] = [connect(prefix), connect(prefix)]
    await connected(here, there)
    const near = vi.fn<() => void>()
    const far = vi.fn<() => void>()
    const other = vi.fn<() => void>()
    here.subscribe('events', near)
    there.subscribe('events', far)
    there.subscribe('last', other)
    for (let i = 0; i < 5; i += 1) here.notify('events')
    there.notify('last')
    await vi.waitFor(() => expect(far).toHaveBeenCalledTimes(5), inTime)

    // Redis delivers in order: when the answer to a later ring is here, so is everything before it.
    const answer = vi.fn<() => void>()
    here.subscribe('answer', answer)
    there.notify('answer')
    await vi.waitFor(() => expect(answer).toHaveBeenCalledOnce(), inTime)
    expect([near, far, other].map((listener) => listener.mock.calls.length)).toEqual([5, 5, 1])
  },
)

test.skipIf(!withRedis)('another prefix does not hear', async () => {
  const prefix = randomPrefix()
  const otherPrefix = randomPrefix()
  const [here, there] = [connect(prefix), connect(prefix)]
  const [stranger, friend] = [connect(otherPrefix), connect(otherPrefix)]
  await connected(here, there)
  await connected(stranger, friend)
  const far = vi.fn<() => void>()
  const strange = vi.fn<() => void>()
  there.subscribe('events', far)
  stranger.subscribe('events', strange)
  here.notify('events')
  await vi.waitFor(() => expect(far).toHaveBeenCalled(), inTime)

  expect(strange).not.toHaveBeenCalled()
})

test.skipIf(!withRedis)('after an outage every ear is called once, and rings arrive again', async () => {
  await using redis = await TemporaryRedis.start()
  const [here, there] = [connect('outage', redis.url), connect('outage', redis.url)]
  await connected(here, there)
  const far = vi.fn<() => void>()
  there.subscribe('events', far)
  await redis.kill()
  await redis.start()
  await vi.waitFor(() => expect(far).toHaveBeenCalledOnce(), inTime)

  await connected(here, there)
  far.mockClear()
  here.notify('events')
  await vi.waitFor(() => expect(far).toHaveBeenCalledOnce(), inTime)
})

test.skipIf(!withRedis)(
  'a ring without Redis is heard in its own process, and elsewhere when Redis is back',
  async () => {
    await using redis = await TemporaryRedis.start()
    const [here, there] = [connect('outage', redis.url), connect('outage', redis.url)]
    await connected(here, there)
    await redis.kill()
    const near = vi.fn<() => void>()
    const far = vi.fn<() => void>()
    here.subscribe('events', near)
    there.subscribe('events', far)
    here.notify('events')
    expect(near).toHaveBeenCalledOnce()
    expect(far).not.toHaveBeenCalled()

    await redis.start()
    await vi.waitFor(() => expect(far).toHaveBeenCalled(), inTime)
  },
)

test.skipIf(!withRedis)('a Redis out of reach is reported', async () => {
  const onError = vi.fn<(error: Error) => void>()
  keep(
    createRedisNotifier({
      redisUrl: `redis://127.0.0.1:${await freePort()}`,
      prefix: randomPrefix(),
      onError,
    }),
  )
  await vi.waitFor(() => expect(onError).toHaveBeenCalled(), inTime)
})

function keep(notifier: Notifier): Notifier {
  opened.push(notifier)
  return notifier
}

function connect(prefix: string, url = redisUrl): Notifier {
  return keep(createRedisNotifier({ redisUrl: url, prefix, onError: () => {} }))
}

/** Waits until each can hear another. */
async function connected(...doorbells: Notifier[]): Promise<void> {
  for (const [index, notifier] of doorbells.entries()) {
    const heard = vi.fn<() => void>()
    const leave = notifier.subscribe('hello', heard)
    const ringer = doorbells.find((_other, other) => other !== index)
    await vi.waitFor(() => {
      ringer?.notify('hello')
      expect(heard).toHaveBeenCalled()
    }, inTime)
    leave()
  }
}
