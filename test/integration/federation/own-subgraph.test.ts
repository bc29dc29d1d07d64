import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compose } from '../../../src/gateway/compose.ts'
import { loadCustomSubgraphs, saveSchemas } from '../../../src/gateway/remote/custom-subgraphs.ts'
import { createRemoteSubgraphs } from '../../../src/gateway/remote/registry.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { silent } from '../../support/graph/graph-harness.ts'
import { names } from '../../support/graph/subgraph-server.ts'
import { clientOf, seedKey } from '../../support/rows/key-rows.ts'
import { FuelPurchases, SECRET } from '../../support/federation/fuel-subgraph.ts'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'

const FUEL = '{ vehicles(first: 2) { nodes { id name fuelPurchases { liters station } groups { name } } } }'
const WITHOUT = '{ vehicles(first: 2) { nodes { id name groups { name } } } }'

interface FuelResult {
  readonly vehicles: { readonly nodes: readonly { readonly id: string; readonly fuelPurchases: object[] }[] }
}

const remoteSubgraphsAt = (url: string, secret: string | undefined = SECRET) =>
  createRemoteSubgraphs(new Map([['fuel', url]]), { ownSubgraphs: names, timeoutMs: 5000, secret })

describe('a custom subgraph of the operator', () => {
  let federation: FederationHarness
  let fuel: FuelPurchases
  let gateway: GatewayClient
  const folder = mkdtempSync(join(tmpdir(), 'odograph-schemas-'))

  beforeAll(async () => {
    federation = await FederationHarness.start([])
    fuel = await FuelPurchases.start()
    const remoteSubgraphs = remoteSubgraphsAt(fuel.url)
    const customSubgraphs = await loadCustomSubgraphs(remoteSubgraphs.values(), { folder, log: silent })
    await saveSchemas(customSubgraphs, folder)
    gateway = await federation.startGateway({ remoteSubgraphs, customSubgraphs })
  })
  afterAll(async () => {
    await federation[Symbol.asyncDispose]()
    await fuel[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const vehicles = async () => ((await gateway.graphql(WITHOUT)).data as unknown as FuelResult).vehicles.nodes

  test('adds fields to our types and its own mutations, and receives the caller', async () => {
    const [first] = await vehicles()
    const add = `mutation ($id: ID!) { addFuelPurchase(vehicleId: $id, liters: 312.5, station: "Exit 99") { liters } }`
    expect(await gateway.graphql(add, { id: first!.id })).toEqual({
      data: { addFuelPurchase: { liters: 312.5 } },
    })
    const { data, errors } = await gateway.graphql(FUEL)
    expect(errors).toBeUndefined()
    expect((data as unknown as FuelResult).vehicles.nodes.map(({ fuelPurchases }) => fuelPurchases)).toEqual([
      [{ liters: 312.5, station: 'Exit 99' }],
      [],
    ])
  })

  test('accepts the signed caller of a key with scopes', async () => {
    const { db, fleet } = federation
    const key = await seedKey(db, fleet.id, { scopes: ['vehicles:read'] })
    const text = '{ vehicles(first: 2) { nodes { id fuelPurchases { liters } } } }'
    const { data, errors } = await gateway.graphql(text, {}, clientOf(fleet, key))
    expect(errors).toBeUndefined()
    expect((data as unknown as FuelResult).vehicles.nodes).toMatchObject([
      { fuelPurchases: [{ liters: 312.5 }] },
      { fuelPurchases: [] },
    ])
  })

  test('is part of the public schema', async () => {
    const { data } = await gateway.graphql('{ __type(name: "Vehicle") { fields { name } } }')
    expect(JSON.stringify(data)).toContain('fuelPurchases')
  })

  test('that is down makes only its own fields null, and does not affect other operations', async () => {
    const before = [await gateway.graphql(WITHOUT), await (await gateway.rest('/vehicles')).json()]
    await fuel[Symbol.asyncDispose]()
    const { data, errors } = await gateway.graphql(FUEL)
    const nodes = (await vehicles()).map((vehicle) => ({ ...vehicle, fuelPurchases: null }))
    expect(data).toEqual({ vehicles: { nodes } })
    expect(errors).toMatchObject(
      [0, 1].map((at) => ({
        path: ['vehicles', 'nodes', at, 'fuelPurchases'],
        message: 'The subgraph fuel is unavailable. Try again later.',
        extensions: { code: 'SERVICE_UNAVAILABLE' },
      })),
    )
    expect([await gateway.graphql(WITHOUT), await (await gateway.rest('/vehicles')).json()]).toEqual(before)

    const known = await loadCustomSubgraphs(remoteSubgraphsAt(fuel.url).values(), { folder, log: silent })
    expect(known).toMatchObject([{ name: 'fuel', sdl: expect.stringContaining('fuelPurchases') }])
    fuel = await FuelPurchases.start(fuel.port)
    await until(async () => !(await gateway.graphql(FUEL)).errors)
  })
})

describe('the schema of a subgraph', () => {
  test('that was never loaded is awaited, then reported missing by name', async () => {
    const waiting = loadCustomSubgraphs(remoteSubgraphsAt('http://127.0.0.1:9/graphql').values(), {
      folder: tmpdir(),
      log: silent,
      timeoutMs: 0,
    })
    await expect(waiting).rejects.toThrow(
      'the subgraph fuel did not return its schema at http://127.0.0.1:9/graphql',
    )
  })

  test('that does not compose with ours is refused with the reason', () => {
    const sdl =
      'type Vehicle @key(fields: "id") { id: ID! name: String! } extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])'
    expect(() => compose([...subgraphs, { name: 'fuel', sdl }])).toThrow(/do not compose[^]*Vehicle\.name/)
  })
})

test('a custom subgraph receives no key or token', async () => {
  const seen: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"data":null,"errors":[{"message":"No card.","extensions":{"code":"NO_CARD"}}]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await using federation = await FederationHarness.start([])
  const sdl =
    'type Query { cards: [String!] } type Vehicle @key(fields: "id") { id: ID! cards: [String!] } extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])'
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const gateway = await federation.startGateway({
    remoteSubgraphs: createRemoteSubgraphs(new Map([['fuel', url]]), {
      ownSubgraphs: names,
      timeoutMs: 5000,
    }),
    customSubgraphs: [{ name: 'fuel', sdl }],
  })
  const { data, errors } = await gateway.graphql('{ cards vehicles(first: 1) { nodes { id } } }')
  expect(data).toMatchObject({ cards: null, vehicles: { nodes: { length: 1 } } })
  expect(errors).toMatchObject([
    { message: 'No card.', path: ['cards'], extensions: { code: 'NO_CARD', subgraph: 'fuel' } },
  ])
  const { applicationId, connectionId } = federation.fleet.narrowed(0)
  expect(seen).toMatchObject([
    { 'x-odograph-application': applicationId, 'x-odograph-connection': connectionId },
  ])
  const { key, value } = await seedKey(federation.db, applicationId, {
    scopes: ['vehicles:read', 'hos:read'],
  })
  const client = clientOf(federation.fleet, { key, value })
  await gateway.graphql('{ vehicles(first: 1) { nodes { cards } } }', {}, client)
  expect(seen[1]).toMatchObject({
    'x-odograph-application': applicationId,
    'x-odograph-scopes': 'vehicles:read,hos:read',
  })
  expect(seen).toHaveLength(2)
  expect('x-odograph-scopes' in seen[0]!).toBe(false)
  expect(JSON.stringify(seen)).not.toMatch(/authorization|sk_|con_tkn|connection-token/)
  server.closeAllConnections()
  server.close()
})
