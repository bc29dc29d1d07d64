import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator } from '../../../src/auth/caller.ts'
import { createGateway, createFederatedExecutor } from '../../../src/gateway/gateway.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { createApp } from '../../../src/http/app.ts'
import { mountGraphql } from '../../../src/http/graphql/graphql-endpoint.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { dialects, type ApiClient } from '../../support/factories.ts'
import { silent, supergraph } from '../../support/graph/graph-harness.ts'
import { remoteSubgraphsAt, serveSubgraph } from '../../support/graph/subgraph-server.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const TAGS = `mutation ($a: UpdateConnectionInput!, $b: UpdateConnectionInput!) {
  first: updateConnection(input: $a) { connection { tags externalId vehicles { nodes { name } } } }
  second: updateConnection(input: $b) { connection { tags externalId lastSync { connection { tags } } } }
}`

describe.each(dialects)('mutations on %s', (dialect) => {
  let harness: ConnectionsHarness
  let app: FastifyInstance
  const disposables: AsyncDisposable[] = []

  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    disposables.push(harness)
    const authenticate = authenticator(callerLookups(harness.db))
    const gateway = createGateway({ authenticate, contextFor: harness.contextFor, log: silent })
    app = createApp({ log: silent })
    await mountGraphql(app, { gateway, introspection: true, log: silent })
    disposables.push({ [Symbol.asyncDispose]: async () => void (await app.close()) })
  })
  afterAll(async () => {
    for (const each of disposables.reverse()) await each[Symbol.asyncDispose]()
  })

  const updates = async (linked: Linked) => (await harness.events(linked, 'connection.updated')).length

  const headersOf = ({ secretKey, token }: ApiClient) => ({
    authorization: `Bearer ${secretKey}`,
    'content-type': 'application/json',
    ...(token === null ? {} : { 'connection-token': token }),
  })

  async function linkAndSync(): Promise<Linked> {
    const linked = await harness.link()
    await harness.sync(linked)
    return linked
  }

  const inputs = { a: { tags: ['one'], externalId: 'first' }, b: { tags: ['one', 'two'] } }

  test('of one operation run in sequence, and each reads the writes of the previous one', async () => {
    const linked = await linkAndSync()
    const { data, errors } = await harness.ask(linked.client, TAGS, inputs)
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({
      first: { connection: { tags: ['one'], externalId: 'first', vehicles: { nodes: expect.any(Array) } } },
      second: {
        connection: {
          tags: ['one', 'two'],
          externalId: 'first',
          lastSync: { connection: { tags: ['one', 'two'] } },
        },
      },
    })
    expect(await updates(linked)).toBe(2)
  })

  test('return the same with subgraphs in other processes', async () => {
    const authenticate = authenticator(callerLookups(harness.db))
    const servers = await Promise.all(
      subgraphs.map(async (subgraph) => {
        const server = await serveSubgraph(subgraph, { authenticate, contextFor: harness.contextFor })
        disposables.push(server)
        return [subgraph.name, server.url] as const
      }),
    )
    for (const remote of [servers, servers.filter(([name]) => name === 'fleet')]) {
      const executor = createFederatedExecutor(supergraph, remoteSubgraphsAt(new Map(remote)))
      const [local, federated] = [await linkAndSync(), await linkAndSync()]
      const expected = await harness.ask(local.client, TAGS, inputs)
      const withoutNames = (answer: unknown) => JSON.stringify(answer).replaceAll(/"name":"[^"]*"/g, '"name"')
      expect(withoutNames(await harness.ask(federated.client, TAGS, inputs, executor))).toBe(
        withoutNames(expected),
      )
      expect(await updates(federated)).toBe(2)
      const refused = `mutation { updateConnection(input: { tags: [""] }) { connection { id } } }`
      expect(await harness.ask(federated.client, refused, {}, executor)).toMatchObject({
        data: null,
        errors: [{ path: ['updateConnection'], extensions: { code: 'BAD_USER_INPUT' } }],
      })
    }
  })

  test('run exactly once for each request with the same text', async () => {
    const linked = await harness.link()
    const query =
      'mutation ($input: UpdateConnectionInput!) { updateConnection(input: $input) { connection { tags } } }'
    for (let time = 1; time <= 5; time++) {
      const payload = { query, variables: { input: { tags: [`tag ${time}`] } } }
      const answer = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: headersOf(linked.client),
        payload,
      })
      expect(answer.json()).toEqual({ data: { updateConnection: { connection: { tags: [`tag ${time}`] } } } })
      expect(await updates(linked)).toBe(time)
    }
  })

  test('with invalid variables, or that fail, write nothing', async () => {
    const linked = await harness.link()
    const query =
      'mutation ($input: UpdateConnectionInput!) { updateConnection(input: $input) { connection { tags } } }'
    for (const input of [{ tags: 7 }, { tags: [''] }, { unknown: 1 }])
      for (let time = 0; time < 3; time++) {
        const payload = { query, variables: { input } }
        const answer = await app.inject({
          method: 'POST',
          url: '/graphql',
          headers: headersOf(linked.client),
          payload,
        })
        expect(answer.json().errors[0].extensions.code).toBe('BAD_USER_INPUT')
      }
    expect(await updates(linked)).toBe(0)
  })

  test('do not run over GET', async () => {
    const linked = await harness.link()
    const query = 'mutation { updateConnection(input: { tags: ["get"] }) { connection { tags } } }'
    for (let time = 0; time < 2; time++) {
      const answer = await app.inject({
        method: 'GET',
        url: '/graphql',
        query: { query },
        headers: headersOf(linked.client),
      })
      expect(answer.statusCode).toBe(405)
      await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: headersOf(linked.client),
        payload: { query: '{ connection { id } }' },
      })
    }
    expect(await updates(linked)).toBe(0)
  })
})
