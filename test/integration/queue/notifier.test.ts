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
])('a notifier %s', (_name, create) => {
  test('calls every listener of the topic, and no other, before notify returns', () => {
    const notifier = track(create())
    const listeners = [vi.fn<() => void>(), vi.fn<() => void>()]
    const other = vi.fn<() => void>()
    for (const listener of listeners) notifier.subscribe('events', listener)
    notifier.subscribe('syncs', other)
    notifier.notify('events')
    notifier.notify('events')

    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(2)
    expect(other).not.toHaveBeenCalled()
  })

  test('removes one listener per unsubscription', () => {
    const notifier = track(create())
    const listener = vi.fn<() => void>()
    const unsubscribe = notifier.subscribe('events', listener)
    notifier.subscribe('events', listener)
    unsubscribe()
    unsubscribe()
    notifier.notify('events')

    expect(listener).toHaveBeenCalledOnce()
  })

  test('does not throw without listeners or after close', async () => {
    const notifier = track(create())
    expect(() => notifier.notify('events')).not.toThrow()
    await notifier.close()
    expect(() => notifier.notify('events')).not.toThrow()
    await notifier.close()
  })
})

test('a listener that throws is reported, and the others are called', () => {
  const onError = vi.fn<(error: Error) => void>()
  const notifier = track(createInProcessNotifier({ onError }))
  const listener = vi.fn<() => void>()
  notifier.subscribe('events', () => {
    throw new Error('failed')
  })
  notifier.subscribe('events', listener)
  notifier.notify('events')

  expect(listener).toHaveBeenCalledOnce()
  expect(onError).toHaveBeenCalledWith(new Error('failed'))
})

test.skipIf(!withRedis)('a notification reaches other processes, and local listeners once', async () => {
  const prefix = randomPrefix()
  const [here, there] = [connect(prefix), connect(prefix)]
  await connected(here, there)
  const local = vi.fn<() => void>()
  const remote = vi.fn<() => void>()
  const other = vi.fn<() => void>()
  here.subscribe('events', local)
  there.subscribe('events', remote)
  there.subscribe('last', other)
  for (let i = 0; i < 5; i += 1) here.notify('events')
  there.notify('last')
  await vi.waitFor(() => expect(remote).toHaveBeenCalledTimes(5), inTime)

  // Redis delivers in order: after a later notification, every earlier one has arrived.
  const last = vi.fn<() => void>()
  here.subscribe('barrier', last)
  there.notify('barrier')
  await vi.waitFor(() => expect(last).toHaveBeenCalledOnce(), inTime)
  expect([local, remote, other].map((listener) => listener.mock.calls.length)).toEqual([5, 5, 1])
})

test.skipIf(!withRedis)('another prefix gets no notifications', async () => {
  const prefix = randomPrefix()
  const otherPrefix = randomPrefix()
  const [here, there] = [connect(prefix), connect(prefix)]
  const [stranger, friend] = [connect(otherPrefix), connect(otherPrefix)]
  await connected(here, there)
  await connected(stranger, friend)
  const remote = vi.fn<() => void>()
  const foreign = vi.fn<() => void>()
  there.subscribe('events', remote)
  stranger.subscribe('events', foreign)
  here.notify('events')
  await vi.waitFor(() => expect(remote).toHaveBeenCalled(), inTime)

  expect(foreign).not.toHaveBeenCalled()
})

test.skipIf(!withRedis)(
  'after an outage every listener is called once, and notifications arrive again',
  async () => {
    await using redis = await TemporaryRedis.start()
    const [here, there] = [connect('outage', redis.url), connect('outage', redis.url)]
    await connected(here, there)
    const remote = vi.fn<() => void>()
    there.subscribe('events', remote)
    await redis.kill()
    await redis.start()
    await vi.waitFor(() => expect(remote).toHaveBeenCalledOnce(), inTime)

    await connected(here, there)
    remote.mockClear()
    here.notify('events')
    await vi.waitFor(() => expect(remote).toHaveBeenCalledOnce(), inTime)
  },
)

test.skipIf(!withRedis)(
  'without Redis a notification is local, and other processes get it after the outage',
  async () => {
    await using redis = await TemporaryRedis.start()
    const [here, there] = [connect('outage', redis.url), connect('outage', redis.url)]
    await connected(here, there)
    await redis.kill()
    const local = vi.fn<() => void>()
    const remote = vi.fn<() => void>()
    here.subscribe('events', local)
    there.subscribe('events', remote)
    here.notify('events')
    expect(local).toHaveBeenCalledOnce()
    expect(remote).not.toHaveBeenCalled()

    await redis.start()
    await vi.waitFor(() => expect(remote).toHaveBeenCalled(), inTime)
  },
)

test.skipIf(!withRedis)('an unreachable Redis is reported', async () => {
  const onError = vi.fn<(error: Error) => void>()
  track(
    createRedisNotifier({
      redisUrl: `redis://127.0.0.1:${await freePort()}`,
      prefix: randomPrefix(),
      onError,
    }),
  )
  await vi.waitFor(() => expect(onError).toHaveBeenCalled(), inTime)
})

function track(notifier: Notifier): Notifier {
  opened.push(notifier)
  return notifier
}

function connect(prefix: string, url = redisUrl): Notifier {
  return track(createRedisNotifier({ redisUrl: url, prefix, onError: () => {} }))
}

/** Waits until each notifier gets a notification of another. */
async function connected(...notifiers: Notifier[]): Promise<void> {
  for (const [index, notifier] of notifiers.entries()) {
    const received = vi.fn<() => void>()
    const unsubscribe = notifier.subscribe('hello', received)
    const sender = notifiers.find((_other, other) => other !== index)
    await vi.waitFor(() => {
      sender?.notify('hello')
      expect(received).toHaveBeenCalled()
    }, inTime)
    unsubscribe()
  }
}
