import { type Event, type Following, OdographClient, OdographError } from '@odograph/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { StreamProxy } from '../../support/sdk/stream-proxy.ts'

/** A gateway with an empty event log, and a proxy between the log and its follower. */
let federation: FederationHarness
let gateway: GatewayClient
let proxy: StreamProxy
let position = 0
/** Stops the followers at the end of a test: they never end on their own. */
let testEnd: AbortController

beforeEach(async () => {
  federation = await FederationHarness.start([])
  await federation.db.transaction((tx) => tx.run('DELETE FROM `events`'))
  gateway = await federation.startGateway()
  proxy = await StreamProxy.before(gateway.url)
  position = 0
  testEnd = new AbortController()
})
afterEach(async () => {
  testEnd.abort()
  await proxy[Symbol.asyncDispose]()
  await federation[Symbol.asyncDispose]()
})

const appendEvent = (type?: string) => federation.appendEvent((position += 1), type)

async function announceMany(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await appendEvent())
  return ids
}

/** Follows the log through the proxy. It records the requested waits and skips them. */
function follow(options: Following = {}, secretKey = federation.fleet.secretKey, baseUrl = proxy.url) {
  const waits: number[] = []
  const errors: string[] = []
  const odograph = new OdographClient({
    baseUrl,
    secretKey,
    wait: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms)
      await new Promise(setImmediate)
    },
  })
  const onTrouble = (error: OdographError) => void errors.push(error.code)
  const events = odograph.followEvents({ onTrouble, signal: testEnd.signal, ...options })
  const next = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    while (ids.length < count) {
      const { value } = await events.next()
      ids.push((value as Event).id)
    }
    return ids
  }
  return { odograph, events, next, waits, errors }
}

describe('a follower reads the log', () => {
  test('from its oldest event on, each event once and equal to that of a page', async () => {
    const stored = await announceMany(3)
    const { odograph, events, next } = follow()
    expect(await next(3)).toEqual(stored)
    const later = announceMany(2)
    expect(await next(2)).toEqual(await later)
    expect(proxy.timesOf('stream')).toBe(2)
    await appendEvent()
    const { value } = await events.next()
    expect(value).toEqual((await odograph.events.list().all()).at(-1))
    await events.return()
    await until(() => gateway.streams.open === 0)
  })

  test('from an event on, over one stream without pages', async () => {
    const [first, ...stored] = await announceMany(4)
    const { events, next } = follow({ after: first })
    expect(await next(3)).toEqual(stored)
    const later = announceMany(1)
    expect(await next(1)).toEqual(await later)
    expect(proxy.requested).toEqual(['stream'])
    await events.return()
  })

  test('from the first event of an empty log', async () => {
    const { events, next } = follow()
    const first = next(1)
    await until(() => gateway.streams.open === 1)
    expect([await appendEvent()]).toEqual(await first)
    await events.return()
  })

  test('with a type filter that no stored event matches', async () => {
    await announceMany(2)
    const { events, next } = follow({ types: ['vehicle.added'] })
    const first = next(1)
    await until(() => gateway.streams.open === 1)
    await appendEvent()
    expect([await appendEvent('vehicle.added')]).toEqual(await first)
    expect(proxy.requested).toEqual(['stream', 'page'])
    await events.return()
  })

  test('from now on, for a connection filter', async () => {
    await announceMany(2)
    const [mine, other] = federation.fleets.a.connections
    const { events, next } = follow({ from: 'now', connectionIds: [mine!.connection.id] })
    const first = next(1)
    await until(() => gateway.streams.open === 1)
    expect([await appendEvent()]).toEqual(await first)
    expect(proxy.requested).toEqual(['stream'])
    await events.return()
    const foreign = follow({ connectionIds: [other!.connection.id] })
    void foreign.events.next()
    await until(() => proxy.timesOf('page') === 1)
  })

  test('until its signal is aborted, also without events', async () => {
    const [first] = await announceMany(1)
    const controller = new AbortController()
    const { events } = follow({ after: first, signal: controller.signal })
    const next = events.next()
    await until(() => gateway.streams.open === 1)
    controller.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    await until(() => gateway.streams.open === 0)
  })
})

describe('a stream', () => {
  test('that is cut off at any byte is resumed without lost or repeated events', async () => {
    const [first, ...stored] = await announceMany(20)
    const { events, next, waits, errors } = follow({ after: first })
    const got: string[] = []
    for (const [at] of stored.entries()) {
      proxy.behaviour = { cutAfterBytes: 300 + at * 37 }
      got.push(...(await next(1)))
    }
    expect(got).toEqual(stored)
    expect(proxy.timesOf('stream')).toBeGreaterThan(3)
    expect(proxy.timesOf('page')).toBe(0)
    expect(errors).toEqual([])
    for (const ms of waits) expect(ms > 499 && ms <= 1000).toBe(true)
    await events.return()
  })

  test('that a proxy refuses is replaced by pages, and retried less and less often', async () => {
    const [first, ...stored] = await announceMany(3)
    proxy.behaviour = { status: 403 }
    const { events, next, errors } = follow({ after: first, pollMs: 20 })
    expect(await next(2)).toEqual(stored)
    const later = next(1)
    await until(() => proxy.timesOf('stream') === 5)
    const rounds = proxy.requested.join(' ').split('stream').slice(1, 5)
    expect(rounds.map((pages) => pages.match(/page/g)?.length)).toEqual([1, 2, 4, 8])
    expect(new Set(errors)).toEqual(new Set(['unreadable_answer']))
    proxy.behaviour = 'pass'
    await until(() => gateway.streams.open === 1)
    expect([await appendEvent()]).toEqual(await later)
    await events.return()
  })

  test('that a proxy holds back is replaced by pages', async () => {
    const [first, ...stored] = await announceMany(3)
    proxy.behaviour = 'keep'
    const { events, next, errors } = follow({ after: first, silenceMs: 200 })
    expect(await next(2)).toEqual(stored)
    expect(errors[0]).toBe('timed_out')
    await events.return()
  })

  test.each([
    [429, '3', 3000],
    [503, '3600', 60_000],
  ])(
    'that is refused with %i and Retry-After %s waits for that time, up to a minute',
    async (status, header, ms) => {
      const [first, second] = await announceMany(2)
      proxy.behaviour = { status, headers: { 'retry-after': header } }
      const { events, next, waits } = follow({ after: first })
      expect(await next(1)).toEqual([second])
      expect(waits[0]).toBe(ms)
      await events.return()
    },
  )

  test('is not requested in pull mode', async () => {
    const [first, second] = await announceMany(2)
    const { events, next, waits } = follow({ after: first, mode: 'pull', pollMs: 70 })
    expect(await next(1)).toEqual([second])
    const later = next(1)
    await until(() => waits.length > 3)
    expect([await appendEvent()]).toEqual(await later)
    expect(new Set(waits)).toEqual(new Set([70]))
    expect(proxy.timesOf('stream')).toBe(0)
    await events.return()
  })

  test('that is refused from now on is replaced by pages without earlier events', async () => {
    await announceMany(3)
    proxy.behaviour = { status: 502 }
    const { events, next, waits } = follow({ from: 'now', pollMs: 70 })
    const first = next(1)
    await until(() => waits.length > 1)
    expect([await appendEvent()]).toEqual(await first)
    await events.return()
  })
})

describe('a follower that fails', () => {
  const errorOf = (options: Following, secretKey?: string) =>
    follow(options, secretKey)
      .events.next()
      .catch((error: unknown) => error)

  test('throws the error of any other call', async () => {
    const [first] = await announceMany(1)
    expect(await errorOf({ after: first }, 'sk_of_nobody')).toMatchObject({
      code: 'unauthorized',
      status: 401,
      requestId: expect.stringMatching(/\S/),
    })
    expect(await errorOf({ after: federation.fleet.id })).toMatchObject({ status: 400 })
    expect(await errorOf({ after: first, types: ['vehicle.flown'] })).toBeInstanceOf(OdographError)
  })

  test('throws without a service, after as many attempts as other calls', async () => {
    const unreachable = await StreamProxy.before('http://127.0.0.1:9')
    const { events, waits } = follow({}, federation.fleet.secretKey, unreachable.url)
    await expect(events.next()).rejects.toMatchObject({ code: 'connection_failed', status: null })
    expect(waits).toHaveLength(4)
    await unreachable[Symbol.asyncDispose]()
  })
})
