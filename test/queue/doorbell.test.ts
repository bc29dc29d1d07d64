import { afterEach, describe, expect, test, vi } from 'vitest'
import { inProcessDoorbell, redisDoorbell, type Doorbell } from '../../src/queue/doorbell.ts'
import { freePort, OwnRedis } from './own-redis.ts'
import { randomPrefix, redisUrl, withRedis } from './rig.ts'

const inTime = { timeout: 10_000, interval: 10 }
const opened: Doorbell[] = []

afterEach(async () => {
  for (const doorbell of opened.splice(0)) await doorbell.close()
})

describe.each([
  ['in process', () => inProcessDoorbell()] as const,
  ...(withRedis ? ([['on Redis', () => redisDoorbell({ redisUrl, prefix: randomPrefix() })]] as const) : []),
])('a doorbell %s', (_name, create) => {
  test('calls every ear of the topic, and no other, before ring returns', () => {
    const doorbell = keep(create())
    const ears = [vi.fn<() => void>(), vi.fn<() => void>()]
    const other = vi.fn<() => void>()
    for (const ear of ears) doorbell.listen('events', ear)
    doorbell.listen('syncs', other)
    doorbell.ring('events')
    doorbell.ring('events')

    for (const ear of ears) expect(ear).toHaveBeenCalledTimes(2)
    expect(other).not.toHaveBeenCalled()
  })

  test('forgets an ear that has left, and only that one', () => {
    const doorbell = keep(create())
    const ear = vi.fn<() => void>()
    const leave = doorbell.listen('events', ear)
    doorbell.listen('events', ear)
    leave()
    leave()
    doorbell.ring('events')

    expect(ear).toHaveBeenCalledOnce()
  })

  test('does not throw when nobody listens or when it is closed', async () => {
    const doorbell = keep(create())
    expect(() => doorbell.ring('events')).not.toThrow()
    await doorbell.close()
    expect(() => doorbell.ring('events')).not.toThrow()
    await doorbell.close()
  })
})

test('an ear that throws is reported and keeps nobody from hearing', () => {
  const onError = vi.fn<(error: Error) => void>()
  const doorbell = keep(inProcessDoorbell({ onError }))
  const ear = vi.fn<() => void>()
  doorbell.listen('events', () => {
    throw new Error('deaf')
  })
  doorbell.listen('events', ear)
  doorbell.ring('events')

  expect(ear).toHaveBeenCalledOnce()
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
    here.listen('events', near)
    there.listen('events', far)
    there.listen('last', other)
    for (let i = 0; i < 5; i += 1) here.ring('events')
    there.ring('last')
    await vi.waitFor(() => expect(far).toHaveBeenCalledTimes(5), inTime)

    // Redis delivers in order: when the answer to a later ring is here, so is everything before it.
    const answer = vi.fn<() => void>()
    here.listen('answer', answer)
    there.ring('answer')
    await vi.waitFor(() => expect(answer).toHaveBeenCalledOnce(), inTime)
    expect([near, far, other].map((ear) => ear.mock.calls.length)).toEqual([5, 5, 1])
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
  there.listen('events', far)
  stranger.listen('events', strange)
  here.ring('events')
  await vi.waitFor(() => expect(far).toHaveBeenCalled(), inTime)

  expect(strange).not.toHaveBeenCalled()
})

test.skipIf(!withRedis)('after an outage every ear is called once, and rings arrive again', async () => {
  await using redis = await OwnRedis.start()
  const [here, there] = [connect('outage', redis.url), connect('outage', redis.url)]
  await connected(here, there)
  const far = vi.fn<() => void>()
  there.listen('events', far)
  await redis.kill()
  await redis.start()
  await vi.waitFor(() => expect(far).toHaveBeenCalledOnce(), inTime)

  await connected(here, there)
  far.mockClear()
  here.ring('events')
  await vi.waitFor(() => expect(far).toHaveBeenCalledOnce(), inTime)
})

test.skipIf(!withRedis)(
  'a ring without Redis is heard in its own process, and elsewhere when Redis is back',
  async () => {
    await using redis = await OwnRedis.start()
    const [here, there] = [connect('outage', redis.url), connect('outage', redis.url)]
    await connected(here, there)
    await redis.kill()
    const near = vi.fn<() => void>()
    const far = vi.fn<() => void>()
    here.listen('events', near)
    there.listen('events', far)
    here.ring('events')
    expect(near).toHaveBeenCalledOnce()
    expect(far).not.toHaveBeenCalled()

    await redis.start()
    await vi.waitFor(() => expect(far).toHaveBeenCalled(), inTime)
  },
)

test.skipIf(!withRedis)('a Redis out of reach is reported', async () => {
  const onError = vi.fn<(error: Error) => void>()
  keep(redisDoorbell({ redisUrl: `redis://127.0.0.1:${await freePort()}`, prefix: randomPrefix(), onError }))
  await vi.waitFor(() => expect(onError).toHaveBeenCalled(), inTime)
})

function keep(doorbell: Doorbell): Doorbell {
  opened.push(doorbell)
  return doorbell
}

function connect(prefix: string, url = redisUrl): Doorbell {
  return keep(redisDoorbell({ redisUrl: url, prefix, onError: () => {} }))
}

/** Waits until each can hear another. */
async function connected(...doorbells: Doorbell[]): Promise<void> {
  for (const [index, doorbell] of doorbells.entries()) {
    const heard = vi.fn<() => void>()
    const leave = doorbell.listen('hello', heard)
    const ringer = doorbells.find((_other, other) => other !== index)
    await vi.waitFor(() => {
      ringer?.ring('hello')
      expect(heard).toHaveBeenCalled()
    }, inTime)
    leave()
  }
}
