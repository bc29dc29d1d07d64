import { getNamedType, type GraphQLObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paramOverrides } from '../../../rest-compat/openapi/param-overrides.ts'
import type { z } from 'zod'
import { routes } from '../../../rest-compat/routes.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { SeededApplication } from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { withQuery } from '../../support/rest/route-examples.ts'
import { seedFleet } from '../../support/rest/fleet.ts'
import { asRest, selectionOf } from '../../support/rest/graph-as-rest.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

const executor = createInProcessExecutor(supergraph)
const schema = supergraph.apiSchema
const query = schema.getQueryType() as GraphQLObjectType

let rest: RestHarness
let seeded: SeededApplication
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  rest = await startRest()
  seeded = await seedFleet(rest)
  const { vehicles, drivers, safetyEvents, syncs, purchaseChecks } = seeded.connections[0]!
  ids = {
    vehicle: vehicles[0]!.id,
    driver: drivers[0]!.id,
    safetyEvent: safetyEvents[0]!.id,
    sync: syncs[1]!.id,
    purchaseCheck: purchaseChecks[0]!.id,
  }
})

afterAll(() => rest[Symbol.asyncDispose]())

/** Each read of REST with the equal GraphQL query: a path of fields from the root, with arguments. */
const reads: readonly (readonly [path: string, ...fields: string[]])[] = [
  ['/connections', 'connections'],
  ['/connections/current', 'connection'],
  ['/vehicles', 'vehicles'],
  ['/vehicles?deleted=true&hidden=true', 'vehicles(deleted: true, hidden: true)'],
  ['/vehicles/{vehicle}', 'vehicle(id: "{vehicle}")'],
  ['/vehicles/locations', 'vehicleLocations'],
  ['/vehicles/{vehicle}/locations', 'vehicle(id: "{vehicle}")', 'locations'],
  ['/vehicles/{vehicle}/stats/historical', 'vehicle(id: "{vehicle}")', 'stats'],
  [
    '/vehicles/utilization?startDate=2026-01-29&endDate=2026-01-31',
    'vehicleUtilization(startDate: "2026-01-29", endDate: "2026-01-31")',
  ],
  ['/drivers', 'drivers'],
  ['/drivers/{driver}', 'driver(id: "{driver}")'],
  ['/trailers', 'trailers'],
  ['/trailers/locations', 'trailerLocations'],
  ['/groups', 'groups'],
  ['/devices', 'devices'],
  ['/trips', 'trips'],
  ['/trips?limit=1', 'trips(first: 1)'],
  ['/trips?deleted=true', 'trips(deleted: true)'],
  ['/hos/logs', 'hosLogs'],
  ['/hos/logs?deleted=true', 'hosLogs(deleted: true)'],
  ['/hos/daily-logs', 'hosDailyLogs'],
  ['/hos/daily-logs?deleted=true', 'hosDailyLogs(deleted: true)'],
  ['/hos/available-time', 'hosAvailableTimes'],
  ['/safety/events', 'safetyEvents'],
  ['/safety/events?deleted=true', 'safetyEvents(deleted: true)'],
  ['/safety/events/{safetyEvent}', 'safetyEvent(id: "{safetyEvent}")'],
  ['/fault-codes/events', 'faultCodeEvents'],
  ['/fault-codes/events?deleted=true', 'faultCodeEvents(deleted: true)'],
  ...['VEHICLE', 'JURISDICTION', 'VEHICLE, JURISDICTION, MONTH'].map(
    (groups) =>
      [
        `/ifta/summary?startMonth=2025-12&endMonth=2026-01&groupBy=${groups.toLowerCase().replaceAll(' ', '')}`,
        `iftaSummary(startMonth: "2025-12", endMonth: "2026-01", groupBy: [${groups}])`,
      ] as const,
  ),
  ['/syncs', 'syncs'],
  ['/syncs/{sync}', 'sync(id: "{sync}")'],
  ['/issues', 'issues'],
  ['/purchase-checks', 'purchaseChecks'],
  ['/purchase-checks/{purchaseCheck}', 'purchaseCheck(id: "{purchaseCheck}")'],
]

/** Compared in test/integration/webhooks/rest.test.ts. */
const webhooks = ['', '/{id}', '/{id}/deliveries'].map((path) => `/webhook-endpoints${path}`)
/**
 * Routes with other tests. `GET /providers` has a different form, and camera media come from the provider.
 * Events have the form of webhook messages. Facts about vehicles are compared in test/integration/vehicle-facts.
 */
const others = [
  '/providers',
  '/safety/events/{id}/camera-media',
  '/events',
  '/vehicles/{id}/facts',
  ...webhooks,
]

test('every read is compared', () => {
  const compared = reads.map(([path]) => path.split('?')[0]!.replace(/\{\w+\}/, '{id}'))
  const all = routes.filter(({ method }) => method === 'GET').map(({ path }) => path)
  expect([...new Set(compared), ...others].toSorted()).toEqual(all.toSorted())
})

const routeOf = (path: string) =>
  routes.find(
    ({ method, path: declared }) =>
      method === 'GET' && declared === path.split('?')[0]!.replace(/\{\w+\}/, '{id}'),
  )!

const withIds = (text: string) =>
  text.replaceAll(/"?\{(\w+)\}"?/g, (found, kind) => found.replace(`{${kind}}`, ids[kind]!))

function typeAt(fields: readonly string[]): GraphQLObjectType {
  let type = query
  for (const field of fields) {
    const { [field.split('(')[0]!]: found } = type.getFields()
    type = getNamedType(found!.type) as GraphQLObjectType
  }
  return type
}

async function graphqlBody(
  path: string,
  fields: readonly string[],
  expanded: readonly string[],
  raw: boolean,
) {
  const type = typeAt(fields)
  const isPage = type.name.endsWith('Page')
  const record = isPage ? getNamedType(type.getFields()['nodes']!.type) : type
  const extraFields = path === '/connections/current' ? ['agreements', 'lastSync'] : []
  const selection = selectionOf(record, { expanded, raw, extraFields }, schema).replace(
    'lastSync { id }',
    `lastSync { ${selectionOf(schema.getType('Sync')!, { expanded: [], raw: false }, schema)} }`,
  )
  const inner = isPage ? `nodes { ${selection} } pageInfo { hasNextPage endCursor }` : selection
  const text = fields.reduceRight((nested, field) => `${withIds(field)} { ${nested} }`, inner)
  const client = routeOf(path).auth === 'key' ? seeded.client : seeded.narrowed(0)
  const { data, errors } = await ask(executor, contextsOver(rest.db), {
    client,
    document: documentOf(`{ ${text} }`),
  })
  expect(errors).toBeUndefined()
  let answer: unknown = data
  for (const field of fields) answer = (answer as Record<string, unknown>)[field.split('(')[0]!]
  if (!isPage) return asRest(answer, record as GraphQLObjectType, schema)
  const { nodes, pageInfo } = answer as {
    nodes: unknown[]
    pageInfo: { hasNextPage: boolean; endCursor: string }
  }
  return {
    results: nodes.map((node) => asRest(node, record as GraphQLObjectType, schema)),
    ...(pageInfo.hasNextPage ? { next: pageInfo.endCursor } : {}),
  }
}

describe.each(reads)('%s', (path, ...fields) => {
  const { query: parameters, auth } = routeOf(path)
  const expand = parameters.shape['expand'] as z.ZodType | undefined
  const items =
    expand && (paramOverrides.get(expand)?.schema['items'] as { readonly enum: readonly string[] })
  const names = items?.enum ?? []
  const hasRaw = 'raw' in parameters.shape

  test('equals GraphQL field by field', async () => {
    const client = auth === 'key' ? seeded.client : seeded.narrowed(0)
    const { body } = await rest.get(withQuery(withIds(path), hasRaw ? 'raw=true' : ''), client)
    expect(body).toEqual(await graphqlBody(path, fields, [], hasRaw))
  })

  test('equals GraphQL with every reference expanded', async () => {
    const client = auth === 'key' ? seeded.client : seeded.narrowed(0)
    const { body } = await rest.get(withQuery(withIds(path), `expand=${names.join(',')}`), client)
    if (names.length > 0) expect(body).toEqual(await graphqlBody(path, fields, names, false))
  })
})
