import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { remoteSubgraphsAt } from '../../support/graph/subgraph-server.ts'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'

const NESTED =
  '{ vehicles(first: 3) { nodes { name latestLocation { speed } trips(first: 1) { nodes { distance } } } } connection { status } }'

let federation: FederationHarness
let gateway: GatewayClient

beforeAll(async () => {
  federation = await FederationHarness.start()
  gateway = await federation.startGateway()
})
afterAll(() => federation[Symbol.asyncDispose]())

/** Starts a server in place of a subgraph. */
async function startStandIn(answer: Parameters<typeof createServer>[1]): Promise<[Server, string]> {
  const server = createServer({}, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`]
}

/** Forwards a request to the real subgraph. Returns its response. */
async function forward(request: IncomingMessage, url: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { authorization = '', 'connection-token': token = '' } = request.headers
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'connection-token': String(token), 'content-type': 'application/json' },
    body: Buffer.concat(chunks),
  })
  return answer.text()
}

const gatewayWith = (name: string, url: string, timeoutMs = 10_000) =>
  federation.startGateway({
    remoteSubgraphs: new Map([
      ...federation.remoteSubgraphs(),
      ...remoteSubgraphsAt(new Map([[name, url]]), timeoutMs),
    ]),
  })

describe('while a subgraph is down', () => {
  test('only its fields are null, each with an error, until it is back', async () => {
    const complete = await gateway.graphql(NESTED)
    expect(complete.errors).toBeUndefined()
    await federation.stopSubgraph('telemetry')
    const { data, errors } = await gateway.graphql(NESTED)
    const { vehicles, connection } = complete.data as { vehicles: { nodes: object[] }; connection: object }
    const nodes = vehicles.nodes.map((node) => ({ ...node, latestLocation: null }))
    expect(data).toEqual({ vehicles: { nodes }, connection })
    expect(errors).toEqual(
      [0, 1, 2].map((at) => ({
        message: 'The subgraph telemetry is unavailable. Try again later.',
        path: ['vehicles', 'nodes', at, 'latestLocation'],
        extensions: { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 },
      })),
    )
    await federation.startSubgraph('telemetry')
    await until(async () => !(await gateway.graphql(NESTED)).errors)
    expect(await gateway.graphql(NESTED)).toEqual(complete)
  })

  test.each([
    ['fleet', 'vehicles'],
    ['records', 'trips'],
    ['telemetry', 'vehicleLocations'],
    ['connections', 'syncs'],
    ['events', 'events'],
  ])('%s, a page with a list of each subgraph lacks %s alone', async (subgraph, list) => {
    const page = `{
      vehicles(first: 2) { totalCount nodes { id } } trips(first: 2) { nodes { distance } }
      vehicleLocations(first: 2) { nodes { speed } } syncs(first: 2) { nodes { status } }
      events(first: 2) { nodes { type } }
    }`
    const complete = await gateway.graphql(page)
    expect(complete.errors).toBeUndefined()
    await federation.stopSubgraph(subgraph)
    const { data, errors } = await gateway.graphql(page)
    expect(data).toEqual({ ...complete.data, [list]: null })
    expect(errors).toMatchObject([{ path: [list], extensions: { code: 'SERVICE_UNAVAILABLE' } }])
    await federation.startSubgraph(subgraph)
    await until(async () => !(await gateway.graphql(page)).errors)
  })

  test('REST returns 503 for its routes, and other routes are unaffected', async () => {
    const before = await (await gateway.rest('/vehicles')).json()
    await federation.stopSubgraph('telemetry')
    const locations = await gateway.rest('/vehicles/locations')
    expect(locations.status).toBe(503)
    expect(locations.headers.get('retry-after')).toBe('1')
    expect(await locations.json()).toMatchObject({ code: 'service_unavailable', retryAfter: 1 })
    const vehicles = await gateway.rest('/vehicles')
    expect(vehicles.status).toBe(200)
    expect(await vehicles.json()).toEqual(before)
    await federation.startSubgraph('telemetry')
    await until(async () => (await gateway.rest('/vehicles/locations')).status === 200)
  })

  test('requests fail fast, with one probe of the subgraph each second', async () => {
    let requests = 0
    const [server, url] = await startStandIn((request) => {
      requests += 1
      request.socket.destroy()
    })
    const broken = await gatewayWith('telemetry', url)
    for (let times = 0; times < 20; times++)
      expect((await broken.graphql(NESTED)).errors).toMatchObject({ length: 3 })
    expect(requests).toBeLessThan(20)
    server.close()
  })
})

describe('a fetch of a subgraph', () => {
  test('is retried for a query after a lost connection or an error of a proxy', async () => {
    const { url: real } = federation.server('telemetry')
    const refusals: (number | null)[] = []
    const [server, url] = await startStandIn(async (request, response) => {
      const refusal = [null, 503][refusals.length]
      if (refusal !== undefined) {
        refusals.push(refusal)
        return refusal === null ? void request.socket.destroy() : void response.writeHead(refusal).end('down')
      }
      response.setHeader('content-type', 'application/json').end(await forward(request, real))
    })
    const client = await gatewayWith('telemetry', url)
    expect(await client.graphql(NESTED)).toEqual(await gateway.graphql(NESTED))
    expect(refusals).toEqual([null, 503])
    server.closeAllConnections()
    server.close()
  })

  test('is not retried for a mutation, which may have run', async () => {
    let requests = 0
    const [server, url] = await startStandIn((request) => {
      requests += 1
      request.socket.destroy()
    })
    const client = await gatewayWith('connections', url)
    const answer = await client.graphql(
      'mutation { updateConnection(input: { tags: ["a"] }) { connection { id } } }',
    )
    expect(answer.errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }])
    expect(requests).toBe(1)
    server.close()
  })

  test('has a longer timeout for a mutation, which may call a provider', async () => {
    const { url: real } = federation.server('connections')
    const [server, url] = await startStandIn(async (request, response) => {
      // The caller may have disconnected by then.
      const answer = await forward(request, real).catch(() => null)
      await wait(500)
      response.setHeader('content-type', 'application/json').end(answer)
    })
    const client = await gatewayWith('connections', url, 250)
    const query = await client.graphql('{ connection { status } }')
    expect(query.errors).toMatchObject([{ extensions: { code: 'GATEWAY_TIMEOUT' } }])
    const written = await client.graphql(
      'mutation { updateConnection(input: { tags: ["slow"] }) { connection { tags } } }',
    )
    expect(written).toEqual({ data: { updateConnection: { connection: { tags: ['slow'] } } } })
    server.closeAllConnections()
    server.close()
  })

  test('that takes too long fails with a timeout, over REST too', async () => {
    const [server, url] = await startStandIn(() => undefined)
    const client = await gatewayWith('telemetry', url, 100)
    const { data, errors } = await client.graphql(NESTED)
    expect(data).toMatchObject({ vehicles: { nodes: { length: 3 } } })
    expect(errors![0]).toEqual({
      message: 'The subgraph telemetry did not answer in time.',
      path: ['vehicles', 'nodes', 0, 'latestLocation'],
      extensions: { code: 'GATEWAY_TIMEOUT', retryAfter: 1 },
    })
    const rest = await client.rest('/vehicles/locations')
    expect([rest.status, await rest.json()]).toMatchObject([504, { code: 'gateway_timeout' }])
    server.closeAllConnections()
    server.close()
  })

  test('that gets an invalid response fails without its content', async () => {
    const [server, url] = await startStandIn((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>intranet.example</h1>')
    })
    const client = await gatewayWith('telemetry', url)
    const answer = await client.graphql(NESTED)
    expect(answer.errors![0]).toMatchObject({ extensions: { code: 'BAD_GATEWAY' } })
    expect(JSON.stringify(answer)).not.toMatch(/intranet|127\.0\.0\.1/)
    server.closeAllConnections()
    server.close()
  })
})

test('a gateway that starts before its subgraphs serves each when it starts', async () => {
  const names = ['fleet', 'telemetry']
  const remoteSubgraphs = new Map([...federation.remoteSubgraphs()].filter(([name]) => names.includes(name)))
  for (const name of names) await federation.stopSubgraph(name)
  const early = await federation.startGateway({ remoteSubgraphs })
  const { data, errors } = await early.graphql(NESTED)
  expect(data).toEqual({ vehicles: null, connection: { status: 'CONNECTED' } })
  expect(errors).toMatchObject([{ path: ['vehicles'], extensions: { code: 'SERVICE_UNAVAILABLE' } }])
  await federation.startSubgraph('fleet')
  await until(async () => !(await early.graphql('{ vehicles { nodes { name } } }')).errors)
  await federation.startSubgraph('telemetry')
  await until(async () => !(await early.graphql(NESTED)).errors)
})

test('a subgraph accepts 5000 entities in one request, and refuses requests with GraphQL errors', async () => {
  const { url } = federation.server('fleet')
  const { secretKey } = federation.fleet
  const post = (body: unknown, authorization = `Bearer ${secretKey}`) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const [{ vehicles }] = federation.fleet.connections as [(typeof federation.fleet.connections)[number]]
  const representations = Array.from({ length: 5000 }, () => ({ __typename: 'Vehicle', id: vehicles[0]!.id }))
  const query = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Vehicle { name } } }'
  const answer = (await (await post({ query, variables: { r: representations } })).json()) as {
    data: { _entities: unknown[] }
  }
  expect(answer.data._entities).toHaveLength(5000)
  const refusals: [unknown, string | undefined, number, string][] = [
    [{ query: '{ vehicles { nodes { id } } }' }, 'Bearer nobody', 401, 'UNAUTHENTICATED'],
    ['{', undefined, 400, 'BAD_USER_INPUT'],
    ['x'.repeat(17 * 1024 * 1024), undefined, 413, 'PAYLOAD_TOO_LARGE'],
  ]
  for (const [body, authorization, status, code] of refusals) {
    const refused = await post(body, authorization)
    expect([refused.status, await refused.json()]).toMatchObject([
      status,
      { errors: [{ extensions: { code } }] },
    ])
  }
})

test('a refused id among others leaves no read that fails without a handler', async () => {
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  const ids = [federation.fleet.connections[0]!.vehicles[0]!.id, 'vcl_1']
  const answer = await gateway.graphql(
    'query ($ids: [ID!]!) { connections { nodes { id } } syncs { nodes { id } } nodes(ids: $ids) { id } }',
    { ids },
  )
  expect(answer.errors).toMatchObject([{ path: ['nodes'], extensions: { code: 'BAD_USER_INPUT' } }])
  expect(answer.data).toMatchObject({ connections: { nodes: [{}] }, nodes: null })
  // The connection to the subgraph closes with its server, and with it the requests that it has served.
  await federation.stopSubgraph('connections')
  await setImmediate()
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
  await federation.startSubgraph('connections')
})
