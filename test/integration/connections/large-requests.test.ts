import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator } from '../../../src/auth/caller.ts'
import { createGateway } from '../../../src/gateway/gateway.ts'
import { createApp } from '../../../src/http/app.ts'
import { mountGraphql } from '../../../src/http/graphql/graphql-endpoint.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { dialects } from '../../support/factories.ts'
import { silent } from '../../support/graph/graph-harness.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const MIB = 1024 * 1024
const PASS = 'mutation ($input: PassthroughInput!) { passthrough(input: $input) { response { statusCode } } }'

describe.each(dialects)('large requests to /graphql on %s', (dialect) => {
  let harness: ConnectionsHarness
  let app: FastifyInstance
  let linked: Linked

  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    linked = await harness.link()
    const authenticate = authenticator(callerLookups(harness.db))
    const gateway = createGateway({ authenticate, contextFor: harness.contextFor, log: silent })
    app = createApp({ log: silent })
    await mountGraphql(app, { gateway, introspection: true, log: silent })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.close()
    await harness[Symbol.asyncDispose]()
  })

  async function post(payload: unknown, init: object = {}) {
    const { port } = app.server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${linked.client.secretKey}`,
        'connection-token': String(linked.client.token),
        'content-type': 'application/json',
      },
      body: JSON.stringify(payload),
      ...init,
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const pass = (body: string) =>
    post({ query: PASS, variables: { input: { method: 'POST', path: '/things', body } } })

  test('are accepted for a passthrough body of 1 MiB, even with escapes', async () => {
    for (const text of ['x'.repeat(MIB), '"'.repeat(MIB)])
      expect(await pass(text)).toMatchObject({
        status: 200,
        body: { data: { passthrough: { response: { statusCode: expect.any(Number) } } } },
      })
    expect((await pass('x'.repeat(MIB + 1))).body).toMatchObject({
      errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }],
    })
  })

  test('are refused for a large query or large lists', async () => {
    const tooLarge = {
      status: 413,
      body: {
        errors: [{ message: expect.stringContaining('100 KiB'), extensions: { code: 'PAYLOAD_TOO_LARGE' } }],
      },
    }
    expect(await post({ query: `{ __typename }${' '.repeat(100 * 1024)}` })).toMatchObject(tooLarge)
    const ids = Array.from({ length: 10_000 }, (_, at) => `vcl_${at}_of_somebody`)
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'
    expect(await post({ query, variables: { ids } })).toMatchObject(tooLarge)
    expect(await post([{ query, variables: { ids } }])).toMatchObject(tooLarge)
    expect(await post({ query, variables: { ids }, more: 'x'.repeat(MIB) })).toMatchObject(tooLarge)
    expect(await pass('"'.repeat(2 * MIB))).toMatchObject({
      status: 413,
      body: { errors: [{ message: expect.stringContaining('KiB') }] },
    })
  })

  test('are refused without a content length, too', async () => {
    const text = JSON.stringify({ query: `{ __typename }${' '.repeat(100 * 1024)}` })
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(text))
        stream.close()
      },
    })
    expect(await post(null, { body, duplex: 'half' })).toMatchObject({ status: 413 })
  })
})
