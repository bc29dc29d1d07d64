import { OdographClient, OdographError } from '@odograph/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ScriptedServer, clientOf } from '../../support/sdk/scripted-server.ts'

const success = { status: 200, body: { results: [{ code: 'sandbox' }] } }
const rateLimited = (headers: Readonly<Record<string, string>>, more: object = {}) => ({
  status: 429,
  headers: { 'x-request-id': 'req-7', ...headers },
  body: { code: 'too_many_requests', message: 'Too many requests.', ...more },
})

describe('a call of the client', () => {
  let answers: ScriptedServer

  beforeAll(async () => void (answers = await ScriptedServer.start()))
  afterAll(() => answers[Symbol.asyncDispose]())

  const list = (client: OdographClient) => client.connections.list({ limit: 5 }).first()

  test.each([
    ['whole seconds', '3', 3000],
    ['a fraction of a second', '0.62', 620],
    ['no time', '0', 0],
  ])('waits for a Retry-After of %s', async (_, header, ms) => {
    const { client, waits } = clientOf(answers)
    answers.to(rateLimited({ 'retry-after': header }), success)
    expect(await list(client)).toEqual(success.body)
    expect([waits, answers.requested.length]).toEqual([[ms], 2])
  })

  test('waits until the date of Retry-After, and not for a past date', async () => {
    const { client, waits } = clientOf(answers)
    const at = (ms: number) => new Date(Date.now() + ms).toUTCString()
    answers.to(
      rateLimited({ 'retry-after': at(30_000) }),
      rateLimited({ 'retry-after': at(-30_000) }),
      success,
    )
    await list(client)
    const [first = 0, second] = waits
    // An HTTP date has whole seconds.
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThanOrEqual(30_000)
    expect(second).toBe(0)
  })

  test('waits for retryAfter of the body if there is no header', async () => {
    const { client, waits } = clientOf(answers)
    answers.to(rateLimited({}, { retryAfter: 2 }), success)
    await list(client)
    expect(waits).toEqual([2000])
  })

  test.each(['soon', '-1', '1e3', ''])(
    'waits with exponential backoff from 1 s if Retry-After is %j',
    async (header) => {
      const { client, waits } = clientOf(answers)
      answers.to(rateLimited({ 'retry-after': header }), rateLimited({}), rateLimited({}), success)
      await list(client)
      expect(waits).toHaveLength(3)
      for (const [at, ms] of waits.entries()) {
        expect(ms).toBeGreaterThan(1000 * 2 ** at * 0.49)
        expect(ms).toBeLessThanOrEqual(1000 * 2 ** at)
      }
    },
  )

  test('fails at once with the delay if the delay is too long', async () => {
    const { client, waits } = clientOf(answers)
    answers.to(rateLimited({ 'retry-after': '3600' }), success)
    const error = await list(client).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(OdographError)
    expect(error).toMatchObject({
      code: 'too_many_requests',
      status: 429,
      requestId: 'req-7',
      retryAfterSeconds: 3600,
      message: `Too many requests. (GET ${answers.url}/tsp/v1/connections)`,
    })
    expect([waits, answers.requested.length]).toEqual([[], 1])
  })

  test('fails after four retries', async () => {
    const { client, waits } = clientOf(answers)
    answers.to({ status: 503, body: { code: 'service_unavailable', message: 'Try again in a moment.' } })
    await expect(list(client)).rejects.toMatchObject({ code: 'service_unavailable', status: 503 })
    expect([waits.length, answers.requested.length]).toEqual([4, 5])
  })

  test.each([500, 502, 503, 504])(
    'is retried after %i if it is safe to repeat, and not if it may have changed something',
    async (failure) => {
      const { client } = clientOf(answers)
      const failed = { status: failure, body: {} }
      answers.to(failed, success)
      expect(await list(client)).toEqual(success.body)
      answers.to(failed, { status: 201, body: { id: 'slk_1' } })
      expect(await client.links.create({ externalId: 'x' })).toEqual({ id: 'slk_1' })
      answers.to(failed, success)
      await expect(client.webhookEndpoints.create({ url: 'https://example.com' })).rejects.toMatchObject({
        status: failure,
      })
      expect(answers.requested).toHaveLength(1)
      answers.to(failed, { status: 200, body: { data: { a: 1 } } })
      await expect(client.graphql('mutation { a }')).rejects.toBeInstanceOf(OdographError)
      expect(answers.requested).toHaveLength(1)
    },
  )

  test('is retried with the same idempotency key if its response is lost or the first request still runs', async () => {
    const { client } = clientOf(answers)
    const keys = () => answers.requested.map(({ headers }) => headers['idempotency-key'])
    const inUse = { status: 409, body: { code: 'idempotency_key_in_use', message: 'No.', retryAfter: 1 } }
    answers.to('reset', inUse, { status: 201, body: { id: 'whe_1' } })
    expect(await client.webhookEndpoints.create({ url: 'https://example.com' })).toEqual({ id: 'whe_1' })
    expect(keys()).toEqual(Array(3).fill(expect.stringMatching(/^[\da-f-]{36}$/)))
    expect(new Set(keys()).size).toBe(1)
    const first = keys()[0]

    const graphqlInUse = { errors: [{ message: 'No.', extensions: { code: 'IDEMPOTENCY_KEY_IN_USE' } }] }
    answers.to('reset', { status: 409, body: graphqlInUse }, { status: 200, body: { data: { a: 1 } } })
    expect(await client.graphql('mutation { a }', {}, { idempotencyKey: 'ours' })).toEqual({ a: 1 })
    expect(keys()).toEqual(['ours', 'ours', 'ours'])

    answers.to({ status: 200, body: { id: 'whe_1' } })
    await client.webhookEndpoints.delete('whe_1')
    await client.webhookEndpoints.delete('whe_1', { idempotencyKey: 'ours' })
    expect(keys()).toEqual([expect.not.stringMatching(String(first)), 'ours'])
    answers.to(success)
    await list(client)
    expect(keys()).toEqual([undefined])
  })

  test.each([400, 401, 403, 404, 409, 422, 501])('is not retried after %i', async (status) => {
    const { client } = clientOf(answers)
    const detail = [{ message: 'Give less.', path: '{requestQuery}.limit' }]
    answers.to({ status, body: { code: 'some_code', message: 'No.', detail } }, success)
    await expect(list(client)).rejects.toMatchObject({ code: 'some_code', status, detail })
    expect(answers.requested).toHaveLength(1)
  })

  test('fails with a message that contains the details and the address', async () => {
    const { client } = clientOf(answers)
    const problems = [
      { message: 'Give less.', path: '{requestQuery}.limit' },
      { message: 'There is no such parameter.', path: '{requestQuery}.cursr', suggestion: 'cursor' },
    ]
    answers.to({ status: 400, body: { code: 'bad_request', message: 'No.', detail: problems } })
    await expect(list(client)).rejects.toThrow(
      new RegExp(
        `^No\\. \\{requestQuery\\}\\.limit: Give less\\. \\{requestQuery\\}\\.cursr: There is no such parameter\\. Did you mean \`cursor\`\\? \\(GET ${answers.url}/tsp/v1/connections\\)$`,
      ),
    )
    answers.to({ status: 403, body: { code: 'forbidden', message: 'No.', detail: 'Missing scope.' } })
    await expect(list(client)).rejects.toThrow('No. Missing scope. (GET ')

    const errors = [{ message: 'No.', extensions: { detail: [{ message: 'No.', path: 'first' }] } }]
    answers.to({ status: 200, body: { errors } })
    await expect(client.graphql('{ a }')).rejects.toThrow(`No. (POST ${answers.url}/graphql)`)
    answers.to('reset')
    await expect(client.graphql('mutation { a }')).rejects.toThrow(
      `The service cannot be reached. (POST ${answers.url}/graphql)`,
    )
  })

  test('takes an id alone where nothing else is required', async () => {
    const { client } = clientOf(answers)
    const fleet = client.connection('con_tkn_x')
    answers.to({ status: 200, body: { id: 'vcl_1', results: [] } })
    for (const given of ['vcl_1', { id: 'vcl_1' }]) {
      await fleet.vehicles.get(given)
      await fleet.vehicles.locations(given).first()
    }
    await client.webhookEndpoints.delete('whe_1')
    expect(answers.requested.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /tsp/v1/vehicles/vcl_1',
      'GET /tsp/v1/vehicles/vcl_1/locations',
      'GET /tsp/v1/vehicles/vcl_1',
      'GET /tsp/v1/vehicles/vcl_1/locations',
      'DELETE /tsp/v1/webhook-endpoints/whe_1',
    ])
  })

  test('is retried after a timeout, and ends at the abort signal', async () => {
    const { client, waits } = clientOf(answers, { timeoutMs: 500 })
    answers.to('hang', success)
    expect(await list(client)).toEqual(success.body)
    expect(waits).toHaveLength(1)
    answers.to('hang')
    await expect(list(client)).rejects.toMatchObject({ code: 'timed_out', status: null })

    const withoutTimeout = clientOf(answers).client
    answers.to('hang')
    const controller = new AbortController()
    const call = withoutTimeout.providers.list({}, { signal: controller.signal })
    await expect.poll(() => answers.requested.length).toBe(1)
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })

  test('can be aborted while it waits', async () => {
    const client = new OdographClient({ baseUrl: answers.url, secretKey: 'sk_of_nobody' })
    answers.to(rateLimited({ 'retry-after': '50' }), success)
    const controller = new AbortController()
    const call = client.providers.list({}, { signal: controller.signal })
    await expect.poll(() => answers.requested.length).toBe(1)
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(answers.requested).toHaveLength(1)
  })

  test('follows no redirect with its key', async () => {
    const { client } = clientOf(answers)
    answers.to({ status: 302, headers: { location: 'http://127.0.0.1:9/elsewhere' } })
    await expect(client.exchangePublicToken('pub_tkn_x')).rejects.toMatchObject({ code: 'connection_failed' })
  })

  test('reports a response that is not from the service', async () => {
    const { client } = clientOf(answers)
    answers.to({ status: 200, headers: { 'content-type': 'text/html' } })
    await expect(list(client)).rejects.toMatchObject({ code: 'unreadable_answer', status: 200 })
  })

  test('encodes ids, lists and times into the URL', async () => {
    const { client } = clientOf(answers)
    answers.to(success)
    const fleet = client.connection('con_tkn_x')
    await fleet.trips.list({ vehicleIds: ['vcl_1', 'vcl_2'], expand: ['driver'], raw: undefined }).first()
    await fleet.vehicles.locations({ id: 'vcl_/../1', startAt: '2026-01-31T00:00:00Z' }).first()
    expect(answers.requested.map(({ url }) => url)).toEqual([
      '/tsp/v1/trips?vehicleIds=vcl_1%2Cvcl_2&expand=driver',
      '/tsp/v1/vehicles/vcl_%2F..%2F1/locations?startAt=2026-01-31T00%3A00%3A00Z',
    ])
    expect(answers.requested[0]?.headers).toMatchObject({
      authorization: 'Bearer sk_of_nobody',
      'connection-token': 'con_tkn_x',
    })
  })
})

describe('the settings of the client', () => {
  const valid = { baseUrl: 'https://odograph.example.com/', secretKey: 'sk_x' }

  test.each([
    [{ baseUrl: '' }, '`baseUrl`'],
    [{ baseUrl: 'odograph.example.com' }, '`baseUrl`'],
    [{ baseUrl: 'https://odograph.example.com?a=b' }, '`baseUrl`'],
    [{ baseUrl: undefined as never }, '`baseUrl`'],
    [{ secretKey: '' }, '`secretKey` must begin with sk_.'],
    [{ secretKey: undefined as never }, '`secretKey`'],
    [{ secretKey: 'con_tkn_secret' }, '`secretKey`'],
    [{ timeoutMs: 0 }, '`timeoutMs` must be a number from 1 up.'],
    [{ retries: -1 }, '`retries`'],
    [{ longestWaitMs: Number.NaN }, '`longestWaitMs`'],
  ])('are refused with the name of the wrong one: %o', (wrong, name) => {
    const create = () => new OdographClient({ ...valid, ...wrong })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(name)
    expect(create).not.toThrow('con_tkn_secret')
  })

  test('include the connection token', () => {
    const client = new OdographClient(valid)
    for (const token of ['', 'sk_secret', undefined as never])
      expect(() => client.connection(token)).toThrow('`token` must begin with con_tkn_.')
  })
})

describe('a list', () => {
  let answers: ScriptedServer

  beforeAll(async () => void (answers = await ScriptedServer.start()))
  afterAll(() => answers[Symbol.asyncDispose]())

  const page = (ids: readonly string[], next?: string) => ({
    status: 200,
    body: { results: ids.map((id) => ({ id })), ...(next === undefined ? {} : { next }) },
  })

  test('is read page by page, only as far as the loop needs', async () => {
    const { client } = clientOf(answers)
    answers.to(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c']))
    const seen: string[] = []
    for await (const { id } of client.connections.list({ tag: 'x' })) seen.push(id)
    expect(seen).toEqual(['a', 'b', 'c'])
    expect(answers.requested.map(({ url }) => url)).toEqual([
      '/tsp/v1/connections?tag=x',
      '/tsp/v1/connections?tag=x&cursor=c1',
      '/tsp/v1/connections?tag=x&cursor=c2',
    ])
    answers.to(page(['a', 'b'], 'c1'), page(['c']))
    for await (const { id } of client.connections.list()) if (id === 'a') break
    expect(answers.requested).toHaveLength(1)
  })

  test('fails if a cursor repeats', async () => {
    const { client } = clientOf(answers)
    answers.to(page(['a'], 'c1'), page(['b'], 'c2'), page(['c'], 'c1'))
    const seen: string[] = []
    const read = async () => {
      for await (const { id } of client.connections.list()) seen.push(id)
    }
    await expect(read()).rejects.toMatchObject({ code: 'repeated_cursor' })
    expect([seen, answers.requested.length]).toEqual([['a', 'b', 'c'], 3])
  })
})
