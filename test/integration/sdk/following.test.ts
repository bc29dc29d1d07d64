import { type Event, type Following, OdographClient, OdographError } from '@odograph/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { StreamProxy } from '../../support/sdk/stream-proxy.ts'

/** A log that nobody has written to yet, and what is between it and its follower. */
let federation: FederationHarness
let gateway: GatewayClient
let proxy: StreamProxy
let position = 0
/** Ends the followers of a test with it: they would go on for ever. */
let end: AbortController

beforeEach(async () => {
  federation = await FederationHarness.start([])
  await federation.db.transaction((tx) => tx.run('DELETE FROM `events`'))
  gateway = await federation.startGateway()
  proxy = await StreamProxy.before(gateway.url)
  position = 0
  end = new AbortController()
})
afterEach(async () => {
  end.abort()
  await proxy[Symbol.asyncDispose]()
  await federation[Symbol.asyncDispose]()
})

const announce = (type?: string) => federation.announce((position += 1), type)

async function announced(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await announce())
  return ids
}

/** Follows the log through the proxy, and waits for nothing but notes how long it would have. */
function follow(following: Following = {}, secretKey = federation.fleet.secretKey, baseUrl = proxy.url) {
  const waits: number[] = []
  const troubles: string[] = []
  const odograph = new OdographClient({
    baseUrl,
    secretKey,
    wait: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms)
      await new Promise(setImmediate)
    },
  })
  const onTrouble = (error: OdographError) => void troubles.push(error.code)
  const events = odograph.followEvents({ onTrouble, signal: end.signal, ...following })
  const next = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    while (ids.length < count) {
      const { value } = await events.next()
      ids.push((value as Event).id)
    }
    return ids
  }
  return { odograph, events, next, waits, troubles }
}

describe('the log is followed', () => {
  test('from its oldest event on, each event once and as a page of the log has it', async () => {
    const stored = await announced(3)
    const { odograph, events, next } = follow()
    expect(await next(3)).toEqual(stored)
    const later = announced(2)
    expect(await next(2)).toEqual(await later)
    expect(proxy.timesOf('stream')).toBe(2)
    await announce()
    const { value } = await events.next()
    expect(value).toEqual((await odograph.events.list().all()).at(-1))
    await events.return()
    await until(() => gateway.streams.open === 0)
  })

  test('from an event on, over one stream and without a page', async () => {
    const [first, ...stored] = await announced(4)
    const { events, next } = follow({ after: first })
    expect(await next(3)).toEqual(stored)
    const later = announced(1)
    expect(await next(1)).toEqual(await later)
    expect(proxy.asked).toEqual(['stream'])
    await events.return()
  })

  test('from the first event that there ever is', async () => {
    const { events, next } = follow()
    const first = next(1)
    await until(() => gateway.streams.open === 1)
    expect([await announce()]).toEqual(await first)
    await events.return()
  })

  test('where none of what is stored is of the types that are asked for', async () => {
    await announced(2)
    const { events, next } = follow({ types: ['vehicle.added'] })
    const first = next(1)
    await until(() => gateway.streams.open === 1)
    await announce()
    expect([await announce('vehicle.added')]).toEqual(await first)
    expect(proxy.asked).toEqual(['stream', 'page'])
    await events.return()
  })

  test('from now on, of the connections that are asked for', async () => {
    await announced(2)
    const [mine, other] = federation.fleets.a.connections
    const { events, next } = follow({ from: 'now', connectionIds: [mine!.connection.id] })
    const first = next(1)
    await until(() => gateway.streams.open === 1)
    expect([await announce()]).toEqual(await first)
    expect(proxy.asked).toEqual(['stream'])
    await events.return()
    const strange = follow({ connectionIds: [other!.connection.id] })
    void strange.events.next()
    await until(() => proxy.timesOf('page') === 1)
  })

  test('to the signal, also while nothing comes', async () => {
    const [first] = await announced(1)
    const given = new AbortController()
    const { events } = follow({ after: first, signal: given.signal })
    const next = events.next()
    await until(() => gateway.streams.open === 1)
    given.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    await until(() => gateway.streams.open === 0)
  })
})

describe('a stream', () => {
  test('that is cut off at any byte is taken up again, with no event lost and none twice', async () => {
    const [first, ...stored] = await announced(20)
    const { events, next, waits, troubles } = follow({ after: first })
    const got: string[] = []
    for (const [at] of stored.entries()) {
      proxy.manner = { cutAfterBytes: 300 + at * 37 }
      got.push(...(await next(1)))
    }
    expect(got).toEqual(stored)
    expect(proxy.timesOf('stream')).toBeGreaterThan(3)
    expect(proxy.timesOf('page')).toBe(0)
    expect(troubles).toEqual([])
    for (const ms of waits) expect(ms > 499 && ms <= 1000).toBe(true)
    await events.return()
  })

  test('that a proxy refuses is done without, and tried again ever more seldom', async () => {
    const [first, ...stored] = await announced(3)
    proxy.manner = { status: 403 }
    const { events, next, troubles } = follow({ after: first, pollMs: 20 })
    expect(await next(2)).toEqual(stored)
    const later = next(1)
    await until(() => proxy.timesOf('stream') === 5)
    const rounds = proxy.asked.join(' ').split('stream').slice(1, 5)
    expect(rounds.map((pages) => pages.match(/page/g)?.length)).toEqual([1, 2, 4, 8])
    expect(new Set(troubles)).toEqual(new Set(['unreadable_answer']))
    proxy.manner = 'pass'
    await until(() => gateway.streams.open === 1)
    expect([await announce()]).toEqual(await later)
    await events.return()
  })

  test('that a proxy keeps to itself is done without', async () => {
    const [first, ...stored] = await announced(3)
    proxy.manner = 'keep'
    const { events, next, troubles } = follow({ after: first, silenceMs: 200 })
    expect(await next(2)).toEqual(stored)
    expect(troubles[0]).toBe('timed_out')
    await events.return()
  })

  test.each([
    [429, '3', 3000],
    [503, '3600', 60_000],
  ])('that is refused with %i leaves the service alone for %s s', async (status, header, ms) => {
    const [first, second] = await announced(2)
    proxy.manner = { status, headers: { 'retry-after': header } }
    const { events, next, waits } = follow({ after: first })
    expect(await next(1)).toEqual([second])
    expect(waits[0]).toBe(ms)
    await events.return()
  })

  test('is not asked for by who only pulls', async () => {
    const [first, second] = await announced(2)
    const { events, next, waits } = follow({ after: first, mode: 'pull', pollMs: 70 })
    expect(await next(1)).toEqual([second])
    const later = next(1)
    await until(() => waits.length > 3)
    expect([await announce()]).toEqual(await later)
    expect(new Set(waits)).toEqual(new Set([70]))
    expect(proxy.timesOf('stream')).toBe(0)
    await events.return()
  })

  test('that is refused lets who asks for what comes miss what was', async () => {
    await announced(3)
    proxy.manner = { status: 502 }
    const { events, next, waits } = follow({ from: 'now', pollMs: 70 })
    const first = next(1)
    await until(() => waits.length > 1)
    expect([await announce()]).toEqual(await first)
    await events.return()
  })
})

describe('whoever may not follow', () => {
  const refusalOf = (following: Following, secretKey?: string) =>
    follow(following, secretKey)
      .events.next()
      .catch((error: unknown) => error)

  test('is told as by any call', async () => {
    const [first] = await announced(1)
    expect(await refusalOf({ after: first }, 'sk_of_nobody')).toMatchObject({
      code: 'unauthorized',
      status: 401,
      requestId: expect.stringMatching(/\S/),
    })
    expect(await refusalOf({ after: federation.fleet.id })).toMatchObject({ status: 400 })
    expect(await refusalOf({ after: first, types: ['vehicle.flown'] })).toBeInstanceOf(OdographError)
  })

  test('is told where there is no service, once it was looked for as often as by any call', async () => {
    const nowhere = await StreamProxy.before('http://127.0.0.1:9')
    const { events, waits } = follow({}, federation.fleet.secretKey, nowhere.url)
    await expect(events.next()).rejects.toMatchObject({ code: 'connection_failed', status: null })
    expect(waits).toHaveLength(4)
    await nowhere[Symbol.asyncDispose]()
  })
})
