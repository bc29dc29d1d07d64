import { describe, expect, test } from 'vitest'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { WebhookProgress } from '../../../src/subgraphs/events/webhooks/webhook-progress.ts'
import { EndpointLeases } from '../../../src/webhooks/worker/endpoint-leases.ts'
import { persistResults } from '../../../src/webhooks/results/persist-results.ts'
import { stores } from '../../support/database/stores.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness, endpointRow, progressRow } from '../../support/webhooks/delivery-harness.ts'

describe.each(stores)('the lease of an endpoint, on %s', (store) => {
  test('belongs to one worker at a time, and to another one after it expires', async () => {
    await using harness = await DeliveryHarness.start(store)
    await harness.endpoints(['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'])
    const [one, two] = [
      new EndpointLeases(harness.db, harness.tools.clock),
      new EndpointLeases(harness.db, harness.tools.clock),
    ]
    const taken = await Promise.all([one, two].map((leases) => leases.acquire(10, new Set())))
    expect(taken.flat()).toHaveLength(2)
    expect(await two.acquire(10, new Set())).toHaveLength(0)
    const ids = taken.flat().map(({ endpointId }) => endpointId)
    harness.moveClock(10_000)
    await Promise.all([one.renew(ids), two.renew(ids)])
    harness.moveClock(10_000)
    expect(await two.acquire(10, new Set())).toHaveLength(0)
    harness.moveClock(10_000)
    expect(await two.acquire(10, new Set())).toHaveLength(2)
    expect((await one.stillLeased(ids)).size).toBe(0)
  })

  test('is necessary for every write: a worker that has lost it changes nothing', async () => {
    await using harness = await DeliveryHarness.start(store)
    const endpoint = await harness.endpoint('http://127.0.0.1:1/')
    const [expired, current] = [
      new EndpointLeases(harness.db, harness.tools.clock),
      new EndpointLeases(harness.db, harness.tools.clock),
    ]
    await expired.acquire(1, new Set())
    harness.moveClock(70_000)
    expect(await current.acquire(1, new Set())).toHaveLength(1)
    const health = { failures: 9, failingSince: 1, lastSuccessAt: null, lastAttemptAt: 1 }
    const { id: endpointId, applicationId } = endpoint
    const entry = { endpointId, applicationId, position: 99, health, outcomes: [], releasedResources: [] }
    const recorded = await persistResults(harness.db, expired.owner, [{ ...entry, disableReason: 'gone' }], 1)
    await expired.release(endpointId, 99)
    expect(recorded.leased.size).toBe(0)
    expect(
      await harness.one('SELECT `position`, `failures`, `leaseOwner` FROM `webhook_progress`'),
    ).toMatchObject({
      position: 0,
      failures: 0,
      leaseOwner: current.owner,
    })
    expect(await harness.one('SELECT `disabledAt` FROM `webhook_endpoints`')).toEqual({ disabledAt: null })
  })

  test('that is lost stops its worker, and the next one repeats only unrecorded attempts', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    await harness.endpoint(inbox.url, { ratePerSecond: 100 })
    const first = harness.startWorker()
    await harness.log(200)
    await inbox.arrived(20)
    await harness.run("UPDATE `webhook_progress` SET `leaseOwner` = 'other', `leasedUntil` = 1, `wakeAt` = 1")
    await first.close()
    const sent = inbox.received.length
    expect(sent).toBeLessThan(200)
    harness.startWorker()
    await inbox.arrived(200)
    await eventually(async () => (await harness.statuses())['delivered'] === 200)
    const rows = Number((await harness.one<{ n: number }>('SELECT COUNT(*) AS n FROM `webhook_attempts`')).n)
    expect(inbox.received.length - rows).toBe(inbox.doubled)
  })

  test('is found by an index among many dead endpoints', async () => {
    await using harness = await DeliveryHarness.start(store)
    await harness.log(3)
    const dead = Array.from({ length: 20_000 }, () =>
      endpointRow(harness.applicationId, 'http://127.0.0.1:1/'),
    )
    const later = harness.tools.clock.now() + 3_600_000
    await harness.db.transaction(async (tx) => {
      await tx.insert(tableOf(WebhookEndpoint), dead)
      await tx.insert(
        tableOf(WebhookProgress),
        dead.map((row, index) => progressRow(row, { failures: 30, wakeAt: index % 2 === 0 ? later : null })),
      )
    })
    const [alive] = await harness.endpoints(['http://127.0.0.1:1/alive'])
    if (store === 'mariadb') await harness.db.rows('ANALYZE TABLE `webhook_progress`')
    const leases = new EndpointLeases(harness.db, harness.tools.clock)
    const statements: string[] = []
    const stop = harness.db.onStatement((sql) => statements.push(sql))
    const taken = await leases.acquire(100, new Set())
    stop()
    expect(taken.map(({ endpointId }) => endpointId)).toEqual([alive?.id])
    const poll = String(statements.find((sql) => sql.startsWith('SELECT `endpointId`')))
    const plan = await harness.db.rows<Record<string, unknown>>(
      `${store === 'mariadb' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN'} ${poll}`,
      [harness.tools.clock.now(), harness.tools.clock.now()],
    )
    if (store === 'mariadb') expect(plan).toMatchObject([{ type: 'range', key: 'webhook_progress_wakeAt' }])
    else expect(JSON.stringify(plan)).toContain('USING INDEX webhook_progress_wakeAt (wakeAt<?)')
    if (store === 'mariadb') expect(Number(plan[0]?.['rows'])).toBeLessThan(100)
  })
})
