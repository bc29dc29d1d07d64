import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGatewayRuntime, type GatewayRuntime } from '@graphql-hive/gateway-runtime'
import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { parseSse } from '../../../src/gateway/remote/sse-parser.ts'
import type { ApiClient } from '../../support/factories.ts'
import { differences } from '../../support/graph/compare-answers.ts'
import { CURSORS, cursorsIn } from '../../support/graph/operation-corpus.ts'
import { filtered, filteredConnection } from '../../support/graph/corpus/filtered.ts'
import { narrowed } from '../../support/graph/corpus/nodes.ts'
import type { Case } from '../../support/graph/corpus/operation.ts'
import { pages, pagesOfMeasurements } from '../../support/graph/corpus/pages.ts'
import { series } from '../../support/graph/corpus/series.ts'
import { introspection, operations } from '../../support/graph/corpus/shapes.ts'
import { argumentsAndVariables } from '../../support/graph/corpus/variables.ts'
import { type Answer, ask, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'
import { FederationHarness, until } from '../../support/federation/federation-harness.ts'

/**
 * Another federation router over the unchanged subgraphs and supergraph of this build. It gets only their
 * URLs.
 */
let federation: FederationHarness
let hive: GatewayRuntime
let server: Server
let url: string

const HEADERS = ['authorization', 'connection-token']

beforeAll(async () => {
  federation = await FederationHarness.start()
  const remoteSubgraphs = [...federation.servers].map(
    ([name, { url: location }]) => [name, { location }] as const,
  )
  hive = createGatewayRuntime({
    supergraph: readFileSync('schema/supergraph.graphql', 'utf8'),
    transportEntries: Object.fromEntries(remoteSubgraphs),
    transports: {
      http: {
        getSubgraphExecutor: ({ transportEntry: { location = '' }, fetch }) =>
          buildHTTPExecutor({ endpoint: location, fetch: fetch as typeof globalThis.fetch }) as never,
      },
    },
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) =>
        Object.fromEntries(
          HEADERS.flatMap((name) => {
            const value = request.headers.get(name)
            return value === null ? [] : [[name, value]]
          }),
        ),
    },
    logging: false,
  })
  server = createServer((request, response) => void hive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await hive[Symbol.asyncDispose]()
  await federation[Symbol.asyncDispose]()
})

const post = (client: ApiClient, body: object, accept = 'application/json', signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers: { ...(headersOf(client) as Record<string, string>), 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

const askHive = async (client: ApiClient, body: object) => (await (await post(client, body)).json()) as Answer

/** Operations that cross all six subgraphs in both directions. */
const nested: Case[] = [
  [
    'from the fleet',
    '{ vehicles(first: 2) { nodes { name connection { status } groups { name vehicles(first: 2) { nodes { name latestLocation { speed } } } children { nodes { name } } } devices { id } latestLocation { speed driver { lastName } } trips(first: 2) { nodes { distance vehicle { name } } } metadata { addedAt } } } connection { status lastSync { status } } }',
  ],
  [
    'from the records',
    '{ trips(first: 2) { nodes { distance connection { id status company { name } vehicles(first: 1) { nodes { name } } } safetyEvents { nodes { type vehicle { name } } } vehicle { name status latestLocation { speed } } driver { lastName trips(first: 1) { nodes { id } } } } } }',
  ],
  [
    'from the log',
    '{ events(first: 1) { nodes { type connection { provider { name } lastSync { status } lastSuccessfulSyncAt syncs { nodes { id } } issues { nodes { id } } } } } }',
  ],
]

/** Cases that refer to missing rows, which each router handles differently. */
const routerSpecific = new Set([
  'paths of nodes',
  'hidden records in references',
  'only the visibility of referenced records',
  'subjects of one connection',
])

/** Returns the parts of the corpus with valid rows and typical client operations. */
async function cases(): Promise<[ApiClient, readonly Case[]][]> {
  const { fleets, fleet, contextFor } = federation
  const [{ vehicles, trips }] = fleet.connections as [(typeof fleet.connections)[number]]
  const variables = { vehicle: vehicles[0]!.id, trip: trips[3]!.id }
  const request = { client: fleet.client, document: documentOf(CURSORS), variables }
  const cursors = cursorsIn((await ask(createInProcessExecutor(supergraph), contextFor, request)).data)
  return [
    [
      fleet.client,
      [
        ...argumentsAndVariables(fleets),
        ...pages(fleets, cursors),
        ...pagesOfMeasurements(fleets, cursors),
        ...series(fleets),
        ...filtered(fleets),
        ...operations(fleets),
        ...introspection,
      ],
    ],
    [fleet.narrowed(0), [...nested, ...narrowed(fleets)]],
    [fleet.narrowed(1), filteredConnection],
  ]
}

test('Hive Gateway returns the same results for the operations of the corpus', async () => {
  const executor = createInProcessExecutor(supergraph)
  const mismatches: string[] = []
  let count = 0
  for (const [client, some] of await cases())
    for (const [name, text, { variables, operationName } = {}] of some) {
      const request = { client, document: documentOf(text), variables, operationName }
      const expected = await ask(executor, federation.contextFor, request)
      if (expected.errors || routerSpecific.has(name)) continue
      const got = await askHive(client, { query: text, variables, operationName })
      mismatches.push(
        ...differences(expected, got).map((difference) => `${name}: ${difference.slice(0, 200)}`),
      )
      count += 1
    }
  expect(mismatches).toEqual([])
  expect(count).toBeGreaterThan(70)
})

test('Hive Gateway refuses a caller with an unknown key', async () => {
  const { secretKey: _, ...rest } = federation.fleet.client
  const { data, errors } = await askHive(
    { ...rest, secretKey: 'nobody' },
    { query: '{ vehicles { nodes { id } } }' },
  )
  expect(data?.vehicles ?? null).toBeNull()
  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
})

test('Hive Gateway follows the event log of its subgraph, and closes the stream', async () => {
  const abort = new AbortController()
  const query = 'subscription { events { id type connection { status } } }'
  const { streams } = federation.server('events')
  const answer = post(federation.fleet.narrowed(0), { query }, 'text/event-stream', abort.signal)
  await until(() => streams.open === 1)
  const id = await federation.appendEvent(1000)
  for await (const { data } of parseSse((await answer).body!, 60_000)) {
    if (data === '') continue
    expect(JSON.parse(data)).toMatchObject({ data: { events: { id, connection: { status: 'CONNECTED' } } } })
    break
  }
  abort.abort()
  await until(() => streams.open === 0)
})
