import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderAdapter } from '../../../../src/providers/provider.ts'
import { ConnectionsHarness, type Linked } from '../../../support/harnesses/connections-harness.ts'
import { dialects, NOON } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import {
  type Answer,
  type RequestRecorder,
  startRequestRecorder,
} from '../../../support/providers/passthrough/request-recorder.ts'
import { subjects } from '../../../support/providers/passthrough/passthrough-subjects.ts'

const RESPONSE = 'response { method path statusCode headers response bodyBase64 }'
const MIB = 1024 * 1024

const cases = subjects.flatMap((subject) => dialects.map((dialect) => ({ subject, dialect, ...subject })))

describe.each(cases)('a passthrough request to $provider, on $dialect', ({ subject, dialect }) => {
  let fake: RunningFake
  let door: RequestRecorder
  let harness: ConnectionsHarness
  let linked: Linked
  let adapter: ProviderAdapter

  beforeAll(async () => {
    const now = new Date(NOON).toISOString()
    fake = await startFake(subject.provider, { now, vehicles: 2, days: 1, accounts: 10 })
    door = await startRequestRecorder(fake.url)
    harness = await ConnectionsHarness.start(dialect)
    const own = subject.adapter(door.url, harness.tools.clock)
    // The harness knows one provider code: the adapter takes it.
    adapter = { ...own, manifest: { ...own.manifest, code: 'sandbox' } }
    harness.adapt = () => adapter
    linked = await harness.link(undefined, { provider: adapter, credentials: subject.credentials(door.url) })
  })
  afterAll(async () => {
    await harness[Symbol.asyncDispose]()
    await door[Symbol.asyncDispose]()
    await fake[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    door.heard.length = 0
    door.replacement = null
    harness.adapt = () => adapter
  })

  const pass = (input: object) => harness.mutate(linked.client, 'passthrough', input, RESPONSE)
  const { usual, other } = subject
  const post = (text: string, headers = {}) =>
    pass({ method: 'POST', path: other.path, body: other.body(text), headers })
  const answering = (answer: Answer) => void (door.replacement = answer)

  test("gets the provider's response, with the connection’s credentials", async () => {
    const { payload } = await pass(usual.request)
    expect(payload.response).toMatchObject({ statusCode: 200, response: usual.answers })
    expect(door.heard.map(({ url, method }) => [method, url])).toEqual([
      [usual.request.method, usual.arrivesAt],
    ])
  })

  test('carries no foreign credentials and no hop-by-hop header', async () => {
    const forged = {
      Authorization: 'Bearer stolen',
      ...subject.forged,
      Cookie: 'JSESSIONID=stolen',
      'Proxy-Authorization': 'Basic stolen',
      Host: 'elsewhere.example',
      Connection: 'keep-alive, X-Dropped',
      'X-Dropped': 'stolen',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '3',
      'X-Original-URL': '/stolen',
      'X-Rewrite-URL': '/stolen',
      'X-HTTP-Method-Override': 'stolen',
      'X-HTTP-Method': 'stolen',
      'X-Method-Override': 'stolen',
      'X-Mine': 'yes',
    }
    await pass({ ...usual.request, headers: forged })
    const [heard] = door.heard
    expect(heard?.headers).toMatchObject({ host: new URL(door.url).host, 'x-mine': 'yes' })
    expect(JSON.stringify(heard)).not.toMatch(/stolen|elsewhere/)
    expect(heard?.headers).not.toHaveProperty('transfer-encoding')
    expect(subject.secretsIn(heard!)).toEqual(subject.shown)
  })

  test('is JSON if it has a body without a content type', async () => {
    answering((_heard, response) => response.end('{}'))
    await post('plain')
    await post('typed', { 'Content-Type': 'application/vnd.theirs+json' })
    const types = door.heard.map(({ headers }) => headers['content-type'])
    expect(types).toEqual(['application/json', 'application/vnd.theirs+json'])
  })

  test.each([
    '//elsewhere.example/',
    '/\\elsewhere.example',
    '/@elsewhere.example',
    '@elsewhere.example',
    '.elsewhere.example',
    ':80@elsewhere.example/',
    'https://elsewhere.example/',
    '/..',
    '/../admin',
    '/./admin',
    '/a/../../admin',
    '/%2e%2e/admin',
    '/.%2E/admin',
    '/a/%2e%2e?b=1',
    '/a\r\nHost: elsewhere.example',
    '/a\tb',
    '/a#b',
  ])('is refused with the path %j', async (path) => {
    expect(await pass({ ...usual.request, path })).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(door.heard).toEqual([])
  })

  test('has a response without the credentials', async () => {
    let secrets: readonly string[] = []
    answering((heard, response) => {
      secrets = subject.secretsIn(heard)
      const [secret = ''] = secrets
      response
        .writeHead(400, {
          'x-said': secret,
          'set-cookie': secret,
          'www-authenticate': secret,
          location: `/?t=${secret}`,
        })
        .end(JSON.stringify({ plain: secret, twice: Buffer.from(secret).toString('base64'), heard }))
    })
    const { payload } = await post('any')
    expect(payload.response.statusCode).toBe(400)
    expect(secrets).toEqual(subject.shown)
    const said = JSON.stringify(payload) + Buffer.from(payload.response.bodyBase64, 'base64').toString()
    for (const secret of secrets) {
      expect(said).not.toContain(secret)
      expect(said).not.toContain(Buffer.from(secret).toString('base64'))
    }
    expect(payload.response.headers).not.toHaveProperty('set-cookie')
  })

  test('may be 1 MiB and its response 10 MiB; larger ones get an error', async () => {
    answering((_heard, response) => response.end('{}'))
    const frame = Buffer.byteLength(other.body(''))
    expect(await post('x'.repeat(MIB - frame))).toMatchObject({ code: null })
    expect(await post('x'.repeat(MIB - frame + 1))).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('1 MiB'),
    })
    expect(door.heard).toHaveLength(1)
    answering((_heard, response) => response.end(Buffer.alloc(10 * MIB, 0x20)))
    expect(await pass(usual.request)).toMatchObject({ code: null })
    answering((_heard, response) => response.end(Buffer.alloc(10 * MIB + 1, 0x20)))
    expect(await pass(usual.request)).toMatchObject({
      code: 'BAD_GATEWAY',
      message: expect.stringContaining('10 MiB'),
    })
  })

  test('that times out ends as a timeout, and is not repeated', async () => {
    harness.adapt = () => ({
      ...adapter,
      api: (credentials, _signal, priority, renewing) =>
        adapter.api(credentials, AbortSignal.timeout(500), priority, renewing),
    })
    answering(() => undefined)
    expect(await pass(usual.request)).toMatchObject({ code: 'GATEWAY_TIMEOUT' })
    answering((_heard, response) => response.writeHead(200).write('{'))
    expect(await pass(usual.request)).toMatchObject({ code: 'GATEWAY_TIMEOUT' })
    expect(door.heard.length).toBeLessThanOrEqual(2)
  })

  test('is not sent for a connection that is not connected', async () => {
    await harness.set('connections', linked.id, { status: 'disconnected' })
    expect(await pass(usual.request)).toMatchObject({ code: 'CONNECTION_DISCONNECTED' })
    await harness.set('connections', linked.id, { status: 'connected' })
    expect(door.heard).toEqual([])
  })
})
