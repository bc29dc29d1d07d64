import { describe, expect, test } from 'vitest'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { keyHolder } from '../../../src/auth/caller.ts'
import { reencrypt, undecryptableRows } from '../../../src/cli/reencrypt.ts'
import { recoverEndpoint } from '../../../src/subgraphs/events/webhooks/deliveries/recover-endpoint.ts'
import { replayDelivery } from '../../../src/subgraphs/events/webhooks/deliveries/replay-delivery.ts'
import { sendTestEvent } from '../../../src/subgraphs/events/webhooks/deliveries/send-test-event.ts'
import { createEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/create-endpoint.ts'
import { updateEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/update-endpoint.ts'
import { validateHeaders } from '../../../src/subgraphs/events/webhooks/endpoints/endpoint-headers.ts'
import { sealHeaders } from '../../../src/subgraphs/events/webhooks/webhook-header.ts'
import { stores } from '../../support/database/stores.ts'
import { foundIn, rowsOf } from '../../support/secrets/secret-search.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { DeliveryHarness, endpointRow } from '../../support/webhooks/delivery-harness.ts'
import { type Reaction, WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'

const KEY = 'planted-key-of-a-gateway'
const PASSWORD = 'planted-pass-of-nobody'
const SECRETS = new Map([
  [KEY, 'the key'],
  [PASSWORD, 'the password'],
])
const HEADERS = [
  { name: 'X-Api-Key', value: KEY },
  { name: 'x-team', value: 'a b' },
]
const BASIC = `Basic ${Buffer.from(`fleet:${PASSWORD}`).toString('base64')}`

/** Commands of the application of a harness, with a receiver at 127.0.0.1 allowed. */
function commandsOf({ tools, db, applicationId }: DeliveryHarness) {
  const { secrets, notifier, clock } = tools
  const outgoingRules = { allowPrivate: ['127.0.0.1'], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' }
  const deps = { db, secrets, notifier, clock, outgoingRules }
  const caller = keyHolder(applicationId)
  return {
    create: (input: Parameters<typeof createEndpoint>[2]) => createEndpoint(deps, caller, input),
    update: (input: Parameters<typeof updateEndpoint>[2]) => updateEndpoint(deps, caller, input),
    test: (endpointId: string) => sendTestEvent(deps, caller, { endpointId, type: 'vehicle.added' }),
    replay: (deliveryId: string) => replayDelivery(deps, caller, { deliveryId }),
    recover: (endpointId: string) => recoverEndpoint(deps, caller, { endpointId, since: 0 }),
  }
}

const withCredentials = ({ url }: WebhookInbox) => url.replace('//', `//fleet:${PASSWORD}@`)

const customIn = ({ headers }: WebhookInbox['received'][number]) => [
  headers['x-api-key'],
  headers['x-team'],
  headers['authorization'],
]

describe.each(stores)('the headers of an endpoint, on %s', (store) => {
  test('arrive with each attempt, and no row contains them', async () => {
    await using harness = await DeliveryHarness.start(store)
    let reaction: Reaction = { status: 204 }
    await using inbox = await WebhookInbox.start({ react: () => reaction })
    const commands = commandsOf(harness)
    const { endpoint, secret } = await commands.create({
      url: withCredentials(inbox),
      headers: HEADERS,
      retrySeconds: [5],
    })
    inbox.secrets = [secret]
    const count = (received: number) => inbox.until((one) => one.received.length >= received)
    harness.startWorker()

    await harness.log(1)
    await count(1)
    const { id: sent } = await commands.test(endpoint.id)
    await count(2)
    await eventually(async () => (await harness.statuses())['delivered'] === 2)
    await commands.replay(sent)
    await count(3)
    await eventually(async () => (await harness.statuses())['delivered'] === 2)

    reaction = { status: 503, headers: { 'x-key-was': KEY }, body: `${KEY} and ${BASIC} are refused` }
    await harness.log(1)
    await count(4)
    await eventually(async () => (await harness.statuses())['pending'] === 1)
    harness.moveClock(60_000)
    await count(5)
    await eventually(async () => (await harness.statuses())['failed'] === 1)
    reaction = { status: 204 }
    await commands.recover(endpoint.id)
    await count(6)
    await eventually(async () => (await harness.statuses())['delivered'] === 3)

    expect(inbox.forged).toEqual([])
    for (const receipt of inbox.received) expect(customIn(receipt)).toEqual([KEY, 'a b', BASIC])

    const attempts = await harness.db.rows<Record<string, string>>(
      'SELECT * FROM `webhook_attempts` ORDER BY `id`',
    )
    expect(attempts.length).toBeGreaterThanOrEqual(6)
    for (const attempt of attempts) {
      const headers = JSON.parse(String(attempt['requestHeaders']))
      expect(headers).toMatchObject({ 'x-api-key': '…', 'x-team': '…', authorization: '…' })
      expect(headers['webhook-id']).toMatch(/^evt_/)
    }
    expect(attempts.map(({ responseBody }) => responseBody)).toContain('… and … are refused')
    expect(foundIn(await rowsOf(harness.db), SECRETS)).toEqual([])
  })

  test('are never sent to the target of a redirect', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using other = await WebhookInbox.start()
    await using inbox = await WebhookInbox.start({
      react: () => ({ status: 307, headers: { location: other.url } }),
    })
    const { endpoint } = await commandsOf(harness).create({ url: inbox.url, headers: HEADERS })
    await commandsOf(harness).test(endpoint.id)
    harness.startWorker()
    await inbox.arrived(1)
    await eventually(async () => (await harness.statuses())['pending'] === 1)
    expect(other.received).toEqual([])
  })

  test('change while messages are sent, without a restart', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    const { create, update, test: sendTest } = commandsOf(harness)
    const { endpoint } = await create({ url: inbox.url, headers: HEADERS })
    harness.startWorker()
    for (const [headers, expected] of [
      [undefined, KEY],
      [[{ name: 'x-api-key', value: 'another-key' }], 'another-key'],
      [null, undefined],
    ] as const) {
      await update({ endpointId: endpoint.id, headers })
      await eventually(async () => {
        await sendTest(endpoint.id)
        await inbox.arrived(inbox.firstReceipts.length + 1)
        return inbox.received.at(-1)?.headers['x-api-key'] === expected
      })
    }
  })

  test('work after a rotation of the encryption key, with the new key only', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    const commands = commandsOf(harness)
    const { endpoint, secret } = await commands.create({ url: withCredentials(inbox), headers: HEADERS })
    inbox.secrets = [secret]
    await commands.create({ url: inbox.url, types: ['sync.failed'] })
    const [before, now] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    const { undecryptable } = await reencrypt(
      { db: harness.db, secrets: createEncryption(() => [now, before]) },
      () => undefined,
    )
    expect(undecryptable).toEqual([])
    // The second endpoint has no headers, so there is nothing to decrypt.
    expect(
      await undecryptableRows({ db: harness.db, secrets: createEncryption(() => [now, before]) }),
    ).toEqual([])
    await commands.test(endpoint.id)
    harness.startWorker({ secrets: createEncryption(now) })
    await inbox.arrived(1)
    expect(inbox.forged).toEqual([])
    expect(customIn(inbox.received[0]!)).toEqual([KEY, 'a b', BASIC])
  })

  test('never have a name of a header that the service sends', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    const { create, test: sendTest } = commandsOf(harness)
    const { endpoint, secret } = await create({ url: inbox.url })
    inbox.secrets = [secret]
    harness.startWorker()
    await sendTest(endpoint.id)
    await inbox.arrived(1)
    const names = Object.keys(inbox.received[0]?.headers ?? {})
    expect(names).toEqual(expect.arrayContaining(['host', 'user-agent', 'webhook-signature', 'svix-id']))
    for (const name of names)
      expect(() => validateHeaders([{ name, value: 'planted' }])).toThrow(`\`${name}\` is reserved`)
  })

  test('replace no header of the service, even if an earlier version stored them', async () => {
    await using harness = await DeliveryHarness.start(store)
    await using inbox = await WebhookInbox.start()
    const { create, test: sendTest } = commandsOf(harness)
    const { endpoint, secret } = await create({ url: inbox.url })
    inbox.secrets = [secret]
    const planted = [
      'Webhook-Id',
      'WEBHOOK-SIGNATURE',
      'svix-timestamp',
      'User-Agent',
      'Content-Type',
      'constructor',
    ]
    const headersSealed = sealHeaders(
      harness.tools.secrets,
      endpoint,
      planted.map((name) => ({ name, value: 'planted' })),
    )
    await harness.run('UPDATE `webhook_endpoints` SET `headersSealed` = ?', [headersSealed])
    harness.startWorker()
    await sendTest(endpoint.id)
    await inbox.arrived(1)
    expect(inbox.forged).toEqual([])
    const { constructor: custom, ...headers } = inbox.received[0]!.headers
    expect(Object.values(headers).filter((value) => value.includes('planted'))).toEqual([])
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Odograph-Webhooks/1' })
    expect(custom).toBe('planted')
  })

  test('decrypt in the row of their endpoint only', async () => {
    await using harness = await DeliveryHarness.start(store)
    const [one, other] = [1, 2].map(() => endpointRow(harness.applicationId, 'http://127.0.0.1:1/'))
    const headersSealed = sealHeaders(harness.tools.secrets, one!, HEADERS)
    const { update } = commandsOf(harness)
    const endpoint = await harness.endpoint('http://127.0.0.1:1/', { ...other!, headersSealed })
    await expect(update({ endpointId: endpoint.id, headers: [] })).rejects.toThrow(/authenticate/)
  })
})
