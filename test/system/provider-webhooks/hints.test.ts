import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { removeProviderWebhook } from '../../../src/subgraphs/connections/provider-webhooks/remove-provider-webhook.ts'
import { setProviderWebhook } from '../../../src/subgraphs/connections/provider-webhooks/set-provider-webhook.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { dialects } from '../../support/factories.ts'
import { runMotive, type FakeHarness as Motive } from '../../fakes/motive/harness.ts'
import { runSamsara, type FakeHarness as Samsara } from '../../fakes/samsara/harness.ts'
import {
  ProviderWebhooksHarness,
  type Linked,
  NOW,
  post,
} from '../../support/harnesses/provider-webhooks-harness.ts'

const CREDENTIALS = { token: 'fake-token-1', region: 'us' }
const GAP_MS = 60_000

interface Subscription {
  readonly id: string
  readonly secretKey: string
}

describe.each(dialects)('provider webhooks on %s', (dialect) => {
  let samsara: Samsara
  let motive: Motive
  let harness: ProviderWebhooksHarness

  beforeAll(async () => {
    samsara = await runSamsara({ now: NOW, vehicles: 3, days: 3 })
    motive = await runMotive({ now: NOW, vehicles: 2, days: 2 })
  })
  afterAll(async () => {
    await samsara[Symbol.asyncDispose]()
    await motive[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    harness = await ProviderWebhooksHarness.start(dialect, samsara.fake.url)
    onTestFinished(() => harness[Symbol.asyncDispose]())
  })

  /** Returns a fleet whose Samsara sends webhooks, with the webhooks so far. */
  async function subscribed(linked?: Linked) {
    const fleet = linked ?? (await harness.link('samsara', CREDENTIALS))
    const url = await harness.hook(fleet)
    const made = await samsara.send<Subscription>('POST', '/webhooks', { name: 'Hints', url })
    onTestFinished(async () => void (await samsara.send('DELETE', `/webhooks/${made.body.id}`, {})))
    await harness.hook(fleet, made.body.secretKey)
    const sendWebhook = async (telling: object = {}): Promise<number[]> => {
      const reported = await samsara.send<{ url: string; status: number }[]>('POST', '/_fake/deliveries', {
        eventType: 'VehicleUpdated',
        ...telling,
      })
      return reported.body.filter((one) => one.url === url).map(({ status }) => status)
    }
    return { fleet, url, sendWebhook }
  }

  test('a message with a valid Samsara signature causes one real sync', async () => {
    const { fleet, sendWebhook } = await subscribed()
    expect(
      await sendWebhook({ data: { vehicle: { id: '1', name: 'A name that nobody believes' } } }),
    ).toEqual([200])
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['requested'])
    expect(await harness.tools.queue.waiting('sync-connection')).toBe(1)

    await samsara.fake.forgetCalls()
    const [sync] = await harness.db.rows<{ id: string }>('SELECT `id` FROM `syncs`')
    const { signal } = new AbortController()
    await syncConnection(harness.tools, String(sync?.id), { id: 'job', attempt: 6, signal })
    expect((await samsara.fake.calls()).byEndpoint['GET /fleet/vehicles']).toBeGreaterThan(0)
    expect(await harness.syncs(fleet)).toEqual(['completed'])
    const everything = await Promise.all(
      ['provider_webhooks', 'vehicles', 'raw_records'].map((table) =>
        harness.db.rows(`SELECT * FROM \`${table}\``),
      ),
    )
    expect(JSON.stringify(everything)).not.toContain('nobody believes')
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['completed'])
  })

  test('a forged, old or unsigned message is refused, and causes no sync', async () => {
    const { fleet, sendWebhook, url } = await subscribed()
    expect(await sendWebhook({ forged: true })).toEqual([403])
    expect(await sendWebhook({ agedSeconds: 400 })).toEqual([403])
    expect(await sendWebhook({ agedSeconds: -400 })).toEqual([403])
    expect(await post(url, '{"eventType":"VehicleUpdated"}')).toBe(403)
    harness.moveClock(600_000)
    expect(await sendWebhook()).toEqual([403])
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual([])
    const secretless = await harness.link('samsara', CREDENTIALS)
    expect(await post(await harness.hook(secretless), '{"eventType":"VehicleUpdated"}')).toBe(403)
  })

  test('a repeated message id causes no further sync', async () => {
    const { fleet, sendWebhook } = await subscribed()
    for (let sent = 0; sent < 3; sent++) expect(await sendWebhook({ eventId: 'the same' })).toEqual([200])
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['requested'])
  })

  test('a sync starts at least a minute after the one before it', async () => {
    const { fleet, sendWebhook } = await subscribed()
    await sendWebhook()
    await harness.findDue()
    await harness.complete()
    await sendWebhook()
    harness.moveClock(GAP_MS - 1)
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['completed'])
    harness.moveClock(1)
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['completed', 'requested'])
  })

  test('hints during a sync cause one more sync after its end', async () => {
    const { fleet, sendWebhook } = await subscribed()
    await sendWebhook()
    await harness.findDue()
    for (let sent = 0; sent < 5; sent++) await sendWebhook()
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['requested'])
    harness.moveClock(GAP_MS)
    await harness.findDue()
    // The sync is still running.
    expect(await harness.syncs(fleet)).toEqual(['requested'])
    await harness.complete()
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['completed'])
    harness.moveClock(5_000)
    await Promise.all([harness.findDue(), harness.findDue()])
    expect(await harness.syncs(fleet)).toEqual(['completed', 'requested'])
    await harness.complete()
    harness.moveClock(10 * GAP_MS)
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['completed', 'completed'])
  })

  test('a flood of 2,000 hints causes one pending sync and one pending poll', async () => {
    const secret = randomBytes(16).toString('hex')
    const fleet = await harness.link('motive')
    const url = await harness.hook(fleet, secret)
    const bodies = ['vehicle_location_updated', 'fault_code_opened'].map((action) => `{"action":"${action}"}`)
    const signed = bodies.map((body) => ({
      body,
      headers: { 'x-kt-webhook-signature': createHmac('sha1', secret).update(body).digest('hex') },
    }))
    const statuses = new Map<number, number>()
    const sender = async () => {
      for (let sent = 0; sent < 100; sent++) {
        const { body, headers } = signed[sent % 2]!
        const status = await post(url, body, headers)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (sent % 20 === 0) await harness.findDue()
      }
    }
    await Promise.all(Array.from({ length: 20 }, sender))
    expect([...statuses]).toEqual([[200, 2_000]])
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual(['requested'])
    expect(await harness.tools.queue.waiting('sync-connection')).toBe(1)
    expect(await harness.tools.queue.waiting('poll-latest')).toBe(1)
  })

  test('Motive gets its expected responses, from its test message on', async () => {
    const fleet = await harness.link('motive')
    const secret = 'not-a-secret-at-all!'
    const url = await harness.hook(fleet, secret)
    const wanted = { url, secret, actions: ['vehicle_location_updated'], enabled: true }
    const made = await motive.send<{ company_webhook: { enabled: boolean } }>(
      'POST',
      '/v1/company_webhooks',
      wanted,
    )
    expect(made.body.company_webhook.enabled).toBe(true)
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: null, syncDueAt: null })

    const sendWebhook = async (telling: object = {}) =>
      (await motive.send<object[]>('POST', '/_fake/deliveries', { action: wanted.actions[0], ...telling }))
        .body
    expect(await sendWebhook({ forged: true })).toMatchObject([{ status: 403, outcome: 'refused' }])
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: null })
    expect(await sendWebhook({ data: { vehicle_id: 1, lat: 1, lon: 1 } })).toMatchObject([
      { outcome: 'accepted' },
    ])
    await harness.findDue()
    expect(await harness.tools.queue.waiting('poll-latest')).toBe(1)
    expect(await harness.syncs(fleet)).toEqual([])
    const before = Number((await harness.row(fleet))['polledAt'])
    await sendWebhook()
    expect(Number((await harness.row(fleet))['pollDueAt'])).toBe(before + 5_000)
  })

  test('a Traccar webhook is authenticated by its URL, and by its secret if it has one', async () => {
    const fleet = await harness.link('traccar')
    const url = await harness.hook(fleet)
    const position = '{"position":{"id":1},"device":{"id":2}}'
    expect(await post(url, position)).toBe(200)
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: expect.anything(), syncDueAt: null })
    await harness.hook(fleet, 'a-secret')
    expect(await post(url, position)).toBe(403)
    expect(await post(url, position, { authorization: 'Bearer a-secret' })).toBe(200)
  })

  test('a connection without automatic syncs ignores hints', async () => {
    const { fleet, sendWebhook } = await subscribed()
    for (const [column, value] of [
      ['status', 'archived'],
      ['status', 'disconnected'],
      ['status', 'pending_deletion'],
      ['status', 'connected'],
      ['syncMode', 'manual'],
    ] as const) {
      await harness.set(fleet, column, value)
      if (value === 'connected') continue
      expect([value, await sendWebhook()]).toEqual([value, [200]])
      expect(await harness.row(fleet)).toMatchObject({ syncDueAt: null })
    }
    await harness.set(fleet, 'syncMode', 'automatic')
    await sendWebhook()
    await harness.set(fleet, 'status', 'archived')
    await harness.findDue()
    expect(await harness.syncs(fleet)).toEqual([])
    expect(await harness.row(fleet)).toMatchObject({ syncDueAt: null })
    await harness.set(fleet, 'status', 'deleting')
    expect(await sendWebhook()).toEqual([404])
  })

  test('a URL belongs to its own connection only, and to none after its removal', async () => {
    const [mine, theirs] = [await harness.link('motive'), await harness.link('motive')]
    const [url, theirUrl] = [
      await harness.hook(mine, 'my-secret'),
      await harness.hook(theirs, 'their-secret'),
    ]
    const body = '{"action":"fault_code_opened"}'
    const signed = (secret: string) => ({
      'x-kt-webhook-signature': createHmac('sha1', secret).update(body).digest('hex'),
    })
    expect(await post(theirUrl, body, signed('my-secret'))).toBe(403)
    expect(await post(url, body, signed('my-secret'))).toBe(200)
    await harness.findDue()
    expect([await harness.syncs(mine), await harness.syncs(theirs)]).toEqual([['requested'], []])

    const stranger = keyHolder(theirs.applicationId)
    const connectionId = mine.id
    await expect(setProviderWebhook(harness.tools, stranger, { connectionId })).rejects.toThrow('no such')
    await expect(removeProviderWebhook(harness.tools, stranger, { connectionId })).rejects.toThrow('no such')
    expect(await post(url, body, signed('my-secret'))).toBe(200)

    await removeProviderWebhook(harness.tools, keyHolder(mine.applicationId), { connectionId })
    expect(await post(url, body, signed('my-secret'))).toBe(404)
    expect(await post(theirUrl, body, signed('their-secret'))).toBe(200)
    for (const token of [
      'nothing',
      `hook_tkn_${'0'.repeat(32)}`,
      `hook_tkn_${'0'.repeat(32)}x`,
      '%00',
      '..%2f',
    ])
      expect([token, await post(`${harness.url}/${token}`, '{}')]).toEqual([token, 404])
    expect(await harness.hook(mine)).not.toBe(url)
  })

  test('the URL does not change with the secret, and is stored encrypted', async () => {
    const fleet = await harness.link('motive')
    const urls = [
      await harness.hook(fleet),
      await harness.hook(fleet, 'first-secret'),
      await harness.hook(fleet, 'second-secret'),
    ]
    expect(new Set(urls).size).toBe(1)
    const row = JSON.stringify(await harness.row(fleet))
    for (const secret of ['second-secret', urls[0]!.split('/').at(-1)!]) expect(row).not.toContain(secret)
    await expect(harness.hook(fleet, '')).rejects.toThrow('secret')
    await expect(harness.hook(fleet, 'x'.repeat(1001))).rejects.toThrow('secret')
    const deaf = await harness.link('deaf')
    await expect(harness.hook(deaf)).rejects.toThrow('needs no webhook')
    const acts = await harness.db.rows<{ action: string; targetId: string; detail: string }>(
      "SELECT `action`, `targetId`, `detail` FROM `audit_log` WHERE `action` LIKE 'provider_webhook%' ORDER BY `id`",
    )
    expect(acts.map(({ detail }) => JSON.parse(detail) as object)).toEqual([
      { secretGiven: false },
      { secretGiven: true },
      { secretGiven: true },
    ])
  })

  test('an unreadable message is no hint, and a too large one is refused', async () => {
    const fleet = await harness.link('traccar')
    const url = await harness.hook(fleet)
    for (const body of [
      '',
      'no json',
      '[]',
      'null',
      '7',
      '"text"',
      '{"position":',
      new Uint8Array([0, 255, 254]),
    ])
      expect([body, await post(url, body)]).toEqual([body, 200])
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: null, syncDueAt: null })
    for (const type of ['text/xml', 'application/x-www-form-urlencoded'])
      expect(await post(url, '{"position":{}}', { 'content-type': type })).toBe(200)
    expect(await post(url, new Uint8Array(1024 * 1024).fill(32))).toBe(200)
    expect(await post(url, new Uint8Array(1024 * 1024 + 1).fill(32))).toBe(413)
    const got = await fetch(url)
    expect(got.status).toBe(404)
  })
})
