import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator } from '../../../src/auth/caller.ts'
import type { KeyScope } from '../../../src/auth/key-scopes.ts'
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import type { ApiClient } from '../../support/factories.ts'
import { seedFleets, type SeededFleets } from '../../support/graph/fleets.ts'
import { contextsOver, silent } from '../../support/graph/graph-harness.ts'
import { remoteSubgraphsAt, serveSubgraph, type SubgraphServer } from '../../support/graph/subgraph-server.ts'
import { headersOf, type RestHarness, startRest } from '../../support/rest/rest-harness.ts'
import { clientOf, seedKey } from '../../support/rows/key-rows.ts'

let rest: RestHarness
let fleets: SeededFleets

beforeAll(async () => {
  rest = await startRest()
  fleets = await seedFleets(rest.db)
})
afterAll(() => rest[Symbol.asyncDispose]())

const keyWith = async (scopes: KeyScope[] | null): Promise<ApiClient> =>
  clientOf(fleets.a, await seedKey(rest.db, fleets.a.id, { scopes }))

describe('over REST a key', () => {
  const tokenOf = () => ({ 'connection-token': fleets.a.connections[0]!.token })

  test.each<[KeyScope, string, readonly (readonly [string, KeyScope])[]]>([
    [
      'vehicles:read',
      '/vehicles',
      [
        ['/vehicles?expand=devices', 'devices:read'],
        ['/trips', 'trips:read'],
      ],
    ],
    [
      'trips:read',
      '/trips',
      [
        ['/trips?expand=vehicle', 'vehicles:read'],
        ['/hos/logs', 'hos:read'],
      ],
    ],
    [
      'hos:read',
      '/hos/daily-logs',
      [
        ['/hos/daily-logs?expand=driver', 'drivers:read'],
        ['/drivers', 'drivers:read'],
      ],
    ],
    [
      'connections:read',
      '/connections/current',
      [
        ['/syncs', 'syncs:read'],
        ['/safety/events', 'safety:read'],
      ],
    ],
    [
      'syncs:write',
      '/syncs',
      [
        ['/connections/current', 'connections:read'],
        ['/syncs?expand=issues', 'issues:read'],
      ],
    ],
  ])('with %s can get %s, and a 403 names the missing scope', async (scope, path, others) => {
    const client = await keyWith([scope])
    expect((await rest.get(path, client, tokenOf())).status).toBe(200)
    for (const [other, missing] of others) {
      const { status, body } = await rest.get(other, client, tokenOf())
      expect([other, status, body]).toEqual([
        other,
        403,
        {
          code: 'forbidden',
          message: `The secret key has no scope ${missing}.`,
          detail: `Missing scope: ${missing}`,
        },
      ])
    }
  })

  test('needs a write scope for a change, and gets the changed record', async () => {
    const at = { ...fleets.a.narrowed(0) }
    const as = async (scopes: KeyScope[]) => ({ ...at, secretKey: (await keyWith(scopes)).secretKey })
    const body = { tags: ['scoped'] }
    const refused = await rest.write('PATCH', '/connections/current', await as(['connections:read']), body)
    expect([refused.status, refused.body.detail]).toEqual([403, 'Missing scope: connections:write'])
    const { status, body: after } = await rest.write(
      'PATCH',
      '/connections/current',
      await as(['connections:write']),
      body,
    )
    expect([status, after.tags]).toEqual([200, ['scoped']])
  })

  test('gets 401 after it expires', async () => {
    const expired = await seedKey(rest.db, fleets.a.id, { expiresAt: Date.now() - 1 })
    const { status, body } = await rest.get('/connections', clientOf(fleets.a, expired))
    expect([status, body.detail]).toEqual([401, 'The secret key has expired.'])
  })

  test('has the scopes of each operation in the OpenAPI document', async () => {
    const { body } = await rest.get('/openapi.json')
    const scopes = (path: string, method = 'get') => body.paths[path][method]['x-scopes']
    expect(scopes('/vehicles')).toEqual(['vehicles:read'])
    expect(scopes('/connections')).toEqual(['connections:read'])
    expect(scopes('/syncs', 'post')).toEqual(['syncs:write'])
    const without = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) =>
        scopes(path, method).length === 1 ? [] : [`${method} ${path}`],
      ),
    )
    expect(without.toSorted()).toEqual([
      'get /providers',
      'get /vehicles/{id}/locations',
      'get /vehicles/{id}/stats/historical',
    ])
  })
})

describe('with every subgraph in another process', () => {
  const servers: SubgraphServer[] = []
  let gateway: Gateway

  beforeAll(async () => {
    const contextFor = contextsOver(rest.db)
    const authenticate = authenticator(callerLookups(rest.db))
    for (const subgraph of subgraphs)
      servers.push(await serveSubgraph(subgraph, { authenticate, contextFor }))
    const urls = new Map(subgraphs.map(({ name }, at) => [name as string, servers[at]!.url]))
    gateway = createGateway({ authenticate, contextFor, log: silent, remote: remoteSubgraphsAt(urls) })
  })
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]()
  })

  const TEXT =
    '{ trips(first: 1) { nodes { distance vehicle { name } } } vehicles(first: 1) { nodes { name latestLocation { speed } } } }'

  async function throughGateway(client: ApiClient) {
    const credentials = { authorization: `Bearer ${client.secretKey}` }
    const context = gateway.contextFor({ caller: await gateway.authenticate(credentials), credentials })
    const { data, errors } = await gateway.execute({ operation: soleOperation(TEXT), context })
    return {
      data: JSON.parse(JSON.stringify(data)) as unknown,
      detail: errors?.map(({ extensions }) => extensions['detail']),
    }
  }

  test('the gateway refuses a missing scope, and scopes do not change an allowed response', async () => {
    const refused = await throughGateway(await keyWith(['trips:read', 'vehicles:read']))
    expect(refused).toEqual({ data: null, detail: ['Missing scope: locations:read'] })
    const allowed = await throughGateway(await keyWith(['trips:read', 'vehicles:read', 'locations:read']))
    expect(allowed.detail).toBeUndefined()
    expect(allowed).toEqual(await throughGateway(fleets.a.client))
  })

  test.each([
    ['fleet', '{ vehicles { nodes { name } } }', {}, 'vehicles:read'],
    ['records', '{ trips { totalCount } }', {}, 'trips:read'],
    [
      'fleet',
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Driver { email } } }',
      { r: [{ __typename: 'Driver', id: 'drv_1' }] },
      'drivers:read',
    ],
    [
      'records',
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Vehicle { trips { totalCount } } } }',
      { r: [{ __typename: 'Vehicle', id: 'vcl_1' }] },
      'vehicles:read',
    ],
    ['connections', '{ keys { nodes { hint } } }', {}, 'admin'],
    ['connections', 'mutation { createKey(input: {}) { value } }', {}, 'admin'],
  ])('the subgraph %s refuses %s', async (name, query, variables, missing) => {
    const at = subgraphs.findIndex((subgraph) => subgraph.name === name)
    const send = async (client: ApiClient) => {
      const response = await fetch(servers[at]!.url, {
        method: 'POST',
        headers: { ...headersOf(client), 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      return { status: response.status, text: await response.text() }
    }
    const { status, text } = await send(await keyWith(['events:read']))
    expect([status, text]).toEqual([403, expect.stringContaining(`Missing scope: ${missing}`)])
    if (missing !== 'admin') expect((await send(await keyWith(null))).text).not.toContain('errors')
    else expect((await send(await keyWith(null))).text).toContain('Missing scope: admin')
  })
})
