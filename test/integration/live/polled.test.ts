import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Priority } from '../../../src/providers/rate-limit/rate-limit.ts'
import { dialects, MINUTE } from '../../support/factories.ts'
import { lists, OnDemandHarness, locationList } from '../../support/harnesses/on-demand-harness.ts'

/** A failure at once, without a retry in the request. */
const down = { status: 500, retryAfter: '60', count: 1000 }

describe.each(dialects)('a polled connection on %s', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterAll(() => live[Symbol.asyncDispose]())

  test.each(lists)('answers $path while its provider is down', async ({ model, path, providerPath }) => {
    const linked = await live.harness.link()
    await live.poll(linked, model)
    await live.harness.fault(linked, { path: providerPath, ...down })
    live.harness.moveClock(MINUTE - 1)
    const { status, body } = await live.get(linked.client, path)
    expect([status, await live.requestCount(linked, providerPath)]).toEqual([200, 1])
    expect(body.results.length).toBeGreaterThan(0)
  })

  test('is read on demand before its first poll, and after its polls stop', async () => {
    const linked = await live.harness.link()
    const { body } = await live.get(linked.client, locationList.path)
    expect(body.results.length).toBeGreaterThan(0)
    await live.poll(linked)
    await live.get(linked.client, locationList.path)
    expect(await live.requestCount(linked)).toBe(2)
    live.harness.moveClock(MINUTE)
    await live.get(linked.client, locationList.path)
    expect(await live.requestCount(linked)).toBe(3)
  })

  test('has valid records for three poll intervals', async () => {
    const linked = await live.harness.link(undefined, { options: { locationPollSeconds: 100 } })
    await live.poll(linked)
    live.harness.moveClock(5 * MINUTE - 1)
    await live.get(linked.client, locationList.path)
    expect(await live.requestCount(linked)).toBe(1)
    live.harness.moveClock(1)
    await live.get(linked.client, locationList.path)
    expect(await live.requestCount(linked)).toBe(2)
  })

  test('is read on demand in manual mode', async () => {
    const linked = await live.harness.link()
    await live.poll(linked)
    await live.patch(linked.client, { syncMode: 'manual' })
    live.harness.moveClock(1000)
    await live.get(linked.client, locationList.path)
    expect(await live.requestCount(linked)).toBe(2)
  })

  test('is polled at background priority, and read on demand at live priority', async () => {
    const linked = await live.harness.link()
    const priorities: (Priority | undefined)[] = []
    live.harness.adapt = (adapter) => ({
      ...adapter,
      api(credentials, signal, priority, renewing) {
        priorities.push(priority)
        return adapter.api(credentials, signal, priority, renewing)
      },
    })
    await live.get(linked.client, locationList.path)
    await live.poll(linked)
    live.harness.adapt = (adapter) => adapter
    expect(priorities).toEqual(['live', 'background'])
  })

  test('has an issue until a forbidden model is permitted', async () => {
    const linked = await live.harness.link()
    await live.harness.fault(linked, { path: locationList.providerPath, status: 403, count: 2 })
    for (let polls = 0; polls < 2; polls++) await live.poll(linked)
    const issues = () =>
      live.harness.tools.db.rows('SELECT `message`, `status` FROM `issues` WHERE `connectionId` = ?', [
        linked.id,
      ])
    const message =
      'No LatestVehicleLocation records are read: Sandbox does not permit it to this account. Extend the permissions of its credentials at Sandbox.'
    expect(await issues()).toEqual([{ message, status: 'ongoing' }])
    await live.poll(linked)
    expect(await issues()).toEqual([{ message, status: 'resolved' }])
    for (const type of ['issue.reported', 'issue.resolved'])
      expect(await live.harness.events(linked, type)).toHaveLength(1)
  })

  test('is disconnected by a poll with refused credentials', async () => {
    const linked = await live.harness.link()
    await live.harness.revoke(linked)
    await live.poll(linked)
    expect(await live.statusOf(linked)).toBe('disconnected')
    expect(await live.harness.events(linked, 'connection.disconnected')).toHaveLength(1)
  })
})
