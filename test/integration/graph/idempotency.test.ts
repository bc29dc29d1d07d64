import { randomUUID } from 'node:crypto'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInLink } from '../../../src/subgraphs/connections/sessions/create-sign-in-link.ts'
import { dashboardSessions } from '../../../src/subgraphs/connections/sessions/dashboard-sessions.ts'
import { operatorActor } from '../../../src/subgraphs/tables/audit-log.ts'
import { type ApiClient, masterEncryption } from '../../support/factories.ts'
import { answerOf, IdempotencyHarness, isReplay, send } from '../../support/harnesses/idempotency-harness.ts'

const RECEIVER = 'https://receiver.example.com/hook'

const CREATE = `mutation Create($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { endpoint { id url } secret }
}`

let harness: IdempotencyHarness
let url: string

beforeAll(async () => {
  harness = await IdempotencyHarness.start('sqlite')
  url = await harness.startGateway()
})
afterAll(() => harness[Symbol.asyncDispose]())

const newOwner = async () => (await harness.connections.application()).owner
const post = (
  client: ApiClient,
  key: string | undefined,
  query = CREATE,
  variables: object = { input: { url: RECEIVER } },
  accept = 'application/json',
) => send(`${url}/graphql`, client, { key, body: { query, variables }, headers: { accept } })

const endpointsOf = async ({ applicationId }: ApiClient) =>
  (await harness.db.rows('SELECT `url` FROM `webhook_endpoints` WHERE `applicationId` = ?', [applicationId]))
    .length

describe('an Idempotency-Key of a mutation', () => {
  test('answers the same again, with one effect, however the document is run', async () => {
    const owner = await newOwner()
    const query = CREATE.replace('Create', `Create${randomUUID().slice(0, 4)}`)
    const key = randomUUID()
    const first = await post(owner, key, query)
    expect([first.status, first.body.errors, isReplay(first)]).toEqual([200, undefined, false])
    for (let times = 0; times < 3; times++) {
      const again = await post(owner, key, query)
      expect([isReplay(again), answerOf(again)]).toEqual([true, answerOf(first)])
    }
    const respaced = await post(owner, key, query.replaceAll(/\s+/g, ' '))
    expect([isReplay(respaced), respaced.body]).toEqual([true, first.body])
    expect(await endpointsOf(owner)).toBe(1)
  })

  test.each([
    ['variables', CREATE, { input: { url: `${RECEIVER}/2` } }],
    ['document', CREATE.replace(' secret', ''), { input: { url: RECEIVER } }],
  ])('is refused for other %s', async (_name, query, variables) => {
    const owner = await newOwner()
    const key = randomUUID()
    await post(owner, key)
    for (let times = 0; times < 2; times++) {
      const reused = await post(owner, key, query, variables)
      expect([reused.status, reused.body.errors[0].extensions.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    }
    expect(await endpointsOf(owner)).toBe(1)
  })

  test('is refused to people with a role, if a secret key or another person has used it', async () => {
    const owner = await newOwner()
    const { applicationId } = owner
    const deps = { ...harness.connections.tools, secrets: masterEncryption }
    const signIn = async (role: 'OPERATOR' | 'ADMIN'): Promise<ApiClient> => {
      const { code } = await createSignInLink(deps, { applicationId, name: null, role, actor: operatorActor })
      const { token } = await dashboardSessions(deps).openLink(code)
      return { ...owner, secretKey: token }
    }
    const [ada, grace] = [await signIn('OPERATOR'), await signIn('OPERATOR')]
    for (const [first, second] of [
      [owner, ada],
      [ada, owner],
      [ada, grace],
    ] as const) {
      const key = randomUUID()
      const answered = await post(first, key)
      expect([answered.status, answered.body.errors]).toEqual([200, undefined])
      expect(answerOf(await post(first, key))).toEqual(answerOf(answered))
      const refused = await post(second, key)
      expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([
        422,
        'IDEMPOTENCY_KEY_REUSED',
      ])
    }
  })

  test('is refused at the other interface', async () => {
    const owner = await newOwner()
    const key = randomUUID()
    await post(owner, key)
    const { status } = await send(`${url}/tsp/v1/webhook-endpoints`, owner, { key, body: { url: RECEIVER } })
    expect([status, await endpointsOf(owner)]).toEqual([422, 1])
  })

  test('is 400 if it is malformed, and is ignored by queries', async () => {
    const owner = await newOwner()
    const malformed = await post(owner, 'k'.repeat(256))
    expect([malformed.status, malformed.body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT'])
    const read = await post(owner, '', '{ webhookEndpoints { nodes { id } } }', {})
    expect([read.status, read.body.data.webhookEndpoints.nodes]).toEqual([200, []])
    const text = '{ webhookEndpoints { nodes { id } } }'
    const key = randomUUID()
    await post(owner, key, text, {})
    expect((await post(owner, key)).body.data.createWebhookEndpoint.endpoint.url).toBe(RECEIVER)
  })

  test('stays free after a document or an input that is refused', async () => {
    const owner = await newOwner()
    const key = randomUUID()
    const refused = [
      await post(owner, key, 'mutation { nothing }', {}),
      await post(owner, key, CREATE, {}),
      await post(owner, key, CREATE, { input: { url: 'nowhere' } }),
    ]
    for (const { body } of refused) expect(body.errors).toHaveLength(1)
    const created = await post(owner, key)
    expect([created.body.errors, isReplay(created)]).toEqual([undefined, false])
  })

  test('keeps the answer if one of several mutations has succeeded', async () => {
    const owner = await newOwner()
    const two = `mutation ($one: CreateWebhookEndpointInput!, $other: CreateWebhookEndpointInput!) {
      one: createWebhookEndpoint(input: $one) { secret }
      other: createWebhookEndpoint(input: $other) { secret }
    }`
    const key = randomUUID()
    const done = { url: RECEIVER }
    const refused = { url: 'nowhere' }
    const first = await post(owner, key, two, { one: done, other: refused })
    expect(first.body.errors[0].path).toEqual(['other'])
    const again = await post(owner, key, two, { one: done, other: refused })
    expect([isReplay(again), answerOf(again), await endpointsOf(owner)]).toEqual([true, answerOf(first), 1])
    const free = randomUUID()
    await post(owner, free, two, { one: refused, other: done })
    expect(isReplay(await post(owner, free, two, { one: refused, other: done }))).toBe(false)
  })

  test('works on an event stream', async () => {
    const owner = await newOwner()
    const key = randomUUID()
    const stream = () => post(owner, key, CREATE, { input: { url: RECEIVER } }, 'text/event-stream')
    const [first, again] = [await stream(), await stream()]
    expect(first.text).toContain('whsec_')
    expect([isReplay(first), isReplay(again), again.text]).toEqual([false, true, first.text])
    expect(await endpointsOf(owner)).toBe(1)
  })

  test('is `extensions.idempotencyKey` on a websocket', async () => {
    const owner = await newOwner()
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${owner.secretKey}` },
      retryAttempts: 0,
    })
    const run = async (idempotencyKey: unknown) => {
      const request = {
        query: CREATE,
        variables: { input: { url: RECEIVER } },
        extensions: { idempotencyKey },
      }
      for await (const result of client.iterate(request)) return result
      throw new Error('no result')
    }
    const key = randomUUID()
    const [first, again] = [await run(key), await run(key)]
    expect(first).toEqual({ data: { createWebhookEndpoint: expect.anything() } })
    expect(again).toEqual({ ...first, extensions: { idempotentReplayed: true } })
    expect((await run(5))?.errors?.[0]?.extensions?.['code']).toBe('BAD_USER_INPUT')
    const overHttp = await post(owner, key)
    expect([isReplay(overHttp), overHttp.body.data]).toEqual([true, first?.data])
    expect(await endpointsOf(owner)).toBe(1)
    await client.dispose()
  })
})
