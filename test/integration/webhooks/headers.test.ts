import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects, masterEncryption, MINUTE } from '../../support/factories.ts'
import { decryptedColumn } from '../../support/secrets/decrypted-column.ts'
import { foundIn, rowsOf } from '../../support/secrets/secret-search.ts'
import { EndpointHarness, RECEIVER } from '../../support/webhooks/endpoint-harness.ts'

const KEY = 'planted-key-of-a-gateway'
const SHORT = 'fifteen-letters'
const PASSWORD = 'planted/pass word'
const DOTS = '••••••••'

const SECRETS = new Map([
  [KEY, 'the key'],
  [SHORT, 'the short value'],
  [PASSWORD, 'the password'],
  ['value-that-is-refused', 'a refused value'],
])

const HEADERS = [
  { name: 'X-Api-Key', value: KEY },
  { name: 'x-team', value: SHORT },
  { name: '__proto__', value: 'a' },
]
const MASKED = [
  { name: 'X-Api-Key', maskedValue: `${DOTS}eway` },
  { name: 'x-team', maskedValue: DOTS },
  { name: '__proto__', maskedValue: DOTS },
]
const BASIC = { name: 'authorization', maskedValue: DOTS }

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

const SELECTION = 'endpoint { id url modifiedAt headers { name maskedValue } }'

describe.each(dialects)('the headers of an endpoint on %s', (dialect) => {
  let harness: EndpointHarness
  beforeAll(async () => void (harness = await EndpointHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Creates an endpoint. Returns functions that update it and read its headers from the database. */
  async function created(input: object = { headers: HEADERS }) {
    const { client, id: applicationId } = await harness.seed()
    const made = await harness.mutate(client, 'createWebhookEndpoint', { url: RECEIVER, ...input }, SELECTION)
    if (made.payload === null) throw new Error(String(made.message))
    const { id: endpointId } = made.payload.endpoint
    const row = async () => (await harness.rows('webhook_endpoints', '`id` = ?', endpointId))[0]!
    return {
      client,
      applicationId,
      endpoint: made.payload.endpoint,
      row,
      update: (change: object) =>
        harness.mutate(client, 'updateWebhookEndpoint', { endpointId, ...change }, SELECTION),
      async stored(): Promise<unknown> {
        const { headersSealed } = await row()
        if (headersSealed === null) return []
        return JSON.parse(decryptedColumn(masterEncryption, 'webhook_endpoints.headersSealed', await row()))
      },
    }
  }

  test('are returned masked, and stored encrypted only', async () => {
    const { client, endpoint, stored } = await created()
    expect(endpoint.headers).toEqual(MASKED)
    expect(await stored()).toEqual(HEADERS)
    const one = await harness.ask(
      client,
      'query ($id: ID!) { webhookEndpoint(id: $id) { headers { name maskedValue } } }',
      { id: endpoint.id },
    )
    const all = await harness.ask(client, '{ webhookEndpoints { nodes { headers { name maskedValue } } } }')
    expect([one.data, all.data]).toEqual([
      { webhookEndpoint: { headers: MASKED } },
      { webhookEndpoints: { nodes: [{ headers: MASKED }] } },
    ])
    expect(foundIn(await rowsOf(harness.db), SECRETS)).toEqual([])
    // The search itself finds a plain value in a row.
    await harness.run('UPDATE `webhook_endpoints` SET `description` = ? WHERE `id` = ?', KEY, endpoint.id)
    expect(foundIn(await rowsOf(harness.db), SECRETS)).toEqual(['the key in webhook_endpoints.description'])
    await harness.run('UPDATE `webhook_endpoints` SET `description` = NULL WHERE `id` = ?', endpoint.id)
  })

  test('are none by default', async () => {
    const { endpoint, row } = await created({})
    expect([endpoint.headers, (await row())['headersSealed']]).toEqual([[], null])
  })

  test('take the limits: ten headers, names and values of maximum length', async () => {
    const headers = Array.from({ length: 10 }, (_, at) => ({
      name: `x-${at}`.padEnd(100, '!'),
      value: `${at} ~`.padEnd(1000, '"'),
    }))
    const { endpoint, stored } = await created({ headers })
    expect(endpoint.headers).toHaveLength(10)
    expect(await stored()).toEqual(headers)
  })

  const own = (name: string, value = 'value-that-is-refused') => ({ name, value })
  const ours =
    `Host content-length Content-Type content-encoding transfer-encoding connection keep-alive upgrade te
    trailer expect accept-encoding User-Agent date proxy-authorization Proxy-Anything webhook-id Webhook-Other svix-id
    svix-signature traceparent tracestate baggage`.split(/\s+/)
  const refusals: readonly (readonly [string, string, readonly object[]])[] = [
    ...ours.map((name) => [`\`${name}\` is reserved`, name, [own(name)]] as const),
    ['`x-A` occurs twice', 'a second spelling', [own('X-a'), own('x-A')]],
    ['at most 10 headers', 'eleven', Array.from({ length: 11 }, (_, at) => own(`x-${at}`))],
    ...['', 'x y', 'x:', 'ü', 'x\n', '"x"', 'x'.repeat(101)].map(
      (name) => ['name of header 2', `the name ${JSON.stringify(name)}`, [own('x-a'), own(name)]] as const,
    ),
    ...['', ' ', ' a', 'a ', 'a\tb', 'a\r\nx-b: c', 'a\nb', 'a\u0000', 'ü', '\u007f', 'a'.repeat(1001)].map(
      (value) => ['header `x-a`', `the value ${JSON.stringify(value)}`, [own('x-a', value)]] as const,
    ),
  ]
  test.each(refusals)('are refused with "%s": %s', async (message, _, headers) => {
    const { client, applicationId, row, update } = await created()
    const before = await row()
    const audited = await harness.rows('audit_log', '`applicationId` = ?', applicationId)
    const notified = harness.notifications
    for (const refused of [
      await update({ headers, description: 'new words' }),
      await harness.mutate(client, 'createWebhookEndpoint', { url: RECEIVER, headers }, SELECTION),
    ]) {
      expect(refused).toMatchObject({ payload: null, code: 'BAD_USER_INPUT', path: 'input.headers' })
      expect(refused.message).toContain(message)
      expect(refused.message).not.toContain('value-that-is-refused')
    }
    expect(await row()).toEqual(before)
    expect(await harness.rows('webhook_endpoints', '`applicationId` = ?', applicationId)).toHaveLength(1)
    expect(await harness.rows('audit_log', '`applicationId` = ?', applicationId)).toEqual(audited)
    expect(harness.notifications).toBe(notified)
  })

  test('stay without a new list, are replaced by one, and are removed by null or an empty list', async () => {
    const { update, stored, row } = await created()
    expect((await update({ description: 'new words' })).payload.endpoint.headers).toEqual(MASKED)
    expect((await update({ url: `${RECEIVER}/2` })).payload.endpoint.headers).toEqual(MASKED)
    const replaced = await update({ headers: [{ name: 'x-other', value: SHORT }] })
    expect(replaced.payload.endpoint.headers).toEqual([{ name: 'x-other', maskedValue: DOTS }])
    expect(await stored()).toEqual([{ name: 'x-other', value: SHORT }])
    for (const headers of [null, []]) {
      await update({ headers: HEADERS })
      expect((await update({ headers })).payload.endpoint.headers).toEqual([])
      expect((await row())['headersSealed']).toBeNull()
    }
  })

  test('change nothing if they stay the same, and a change is audited without them', async () => {
    const { applicationId, endpoint, update, row } = await created()
    const before = await row()
    harness.now += MINUTE
    const same = await update({ headers: HEADERS })
    expect(same.payload.endpoint).toEqual(endpoint)
    expect(await row()).toEqual(before)
    await update({ headers: [{ name: 'x-api-key', value: `${KEY}-2` }] })
    const entries = await harness.rows('audit_log', '`applicationId` = ? ORDER BY `id`', applicationId)
    expect(entries.map(({ action, detail }) => [action, JSON.parse(String(detail))])).toEqual([
      ['webhook_endpoint.created', { host: 'receiver.example.com', types: ['*'] }],
      ['webhook_endpoint.updated', { changed: ['headers'] }],
    ])
  })

  test('are deleted with their endpoint', async () => {
    const { client, endpoint } = await created()
    await harness.mutate(client, 'deleteWebhookEndpoint', { endpointId: endpoint.id }, 'endpointId')
    const rows = await rowsOf(harness.db)
    const left = rows.filter(({ text }) => text.includes(endpoint.id)).map(({ where }) => where)
    expect(left.filter((where) => where !== 'audit_log.targetId')).toEqual([])
  })

  describe('from a URL with a user name and a password', () => {
    const url = 'https://fleet%40us:planted%2Fpass%20word@receiver.example.com/hook?a=b'
    const plain = 'https://receiver.example.com/hook?a=b'
    const header = { name: 'authorization', value: basic(`fleet@us:${PASSWORD}`) }

    test('are an authorization header, and the stored URL has no credentials', async () => {
      const { endpoint, stored, row, applicationId } = await created({ url, headers: HEADERS })
      expect(endpoint).toMatchObject({ url: plain, headers: [...MASKED, BASIC] })
      expect(await stored()).toEqual([...HEADERS, header])
      expect(JSON.stringify([await row(), await harness.rows('audit_log')])).not.toContain('fleet@us')
      expect(applicationId).toMatch(/^app_/)
      expect(foundIn(await rowsOf(harness.db), SECRETS)).toEqual([])
    })

    test.each([
      ['https://user@receiver.example.com/hook', 'user:'],
      ['https://:secret@receiver.example.com/hook', ':secret'],
      ['https://user:a:b@receiver.example.com/hook', 'user:a:b'],
      ['https://us%C3%BCr:p%C3%A4ss@receiver.example.com/hook', 'usür:päss'],
    ])('are decoded: %s', async (given, credentials) => {
      const { endpoint, stored } = await created({ url: given })
      expect(endpoint.url).toBe(RECEIVER)
      expect(await stored()).toEqual([{ name: 'authorization', value: basic(credentials) }])
    })

    test('stay with a new URL without them, and follow a new URL that has them', async () => {
      const { update, stored } = await created({ url, headers: HEADERS })
      const moved = await update({ url: `${RECEIVER}/2` })
      expect(moved.payload.endpoint).toMatchObject({ url: `${RECEIVER}/2`, headers: [...MASKED, BASIC] })
      await update({ url: 'https://other:one@receiver.example.com/hook' })
      expect(await stored()).toEqual([...HEADERS, { name: 'authorization', value: basic('other:one') }])
      await update({ url, headers: [] })
      expect(await stored()).toEqual([header])
      await update({ headers: HEADERS })
      expect(await stored()).toEqual(HEADERS)
    })

    const bearer = [{ name: 'Authorization', value: 'Bearer value-that-is-refused' }]
    const ten = Array.from({ length: 10 }, (_, at) => own(`x-${at}`))
    const long = `https://user:${'p'.repeat(800)}@receiver.example.com/hook`
    test.each([
      ['url', 'has one too', { url, headers: bearer }],
      ['url', 'percent-encoded', { url: 'https://user:value-that-is-refused%zz@receiver.example.com/' }],
      ['url', 'percent-encoded', { url: 'https://user:a%FFb@receiver.example.com/' }],
      ['url', 'control characters', { url: 'https://user:a%0Ab@receiver.example.com/' }],
      ['url', 'colon', { url: 'https://a%3Ab:c@receiver.example.com/' }],
      ['url', 'too long', { url: long }],
      ['url', 'https://', { url: 'http://user:value-that-is-refused@receiver.example.com/' }],
      ['headers', 'at most 10', { url, headers: ten }],
    ])('are refused: %s, "%s"', async (member, message, input) => {
      const { client, row, update } = await created()
      const before = await row()
      for (const refused of [
        await update(input),
        await harness.mutate(client, 'createWebhookEndpoint', input, SELECTION),
      ]) {
        expect(refused).toMatchObject({ payload: null, code: 'BAD_USER_INPUT', path: `input.${member}` })
        expect(refused.message).toContain(message)
        expect(refused.message).not.toContain('refused')
      }
      expect(await row()).toEqual(before)
    })

    test('never replace an authorization header of another kind', async () => {
      const { update, row } = await created({ headers: bearer })
      const before = await row()
      expect(await update({ url })).toMatchObject({ payload: null, path: 'input.url' })
      expect(await row()).toEqual(before)
    })
  })
})
