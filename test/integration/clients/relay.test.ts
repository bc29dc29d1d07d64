import { execFile } from 'node:child_process'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import {
  type ConcreteRequest,
  createOperationDescriptor,
  type Environment,
  fetchQuery,
  requestSubscription,
} from 'relay-runtime'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ClientHarness } from '../../support/clients/client-harness.ts'
import { documentedClient } from '../../support/clients/documented-client.ts'
import { until } from '../../support/federation/federation-harness.ts'

// Browsers and newer versions of Node have a WebSocket of their own.
vi.stubGlobal('WebSocket', WebSocket)

const APP = `
export const query = graphql\`
  query FleetQuery($after: String) {
    vehicles(first: 2, after: $after) @connection(key: "Fleet_vehicles") {
      edges { node { id latestLocation { id speed } } }
    }
  }
\`
export const subscription = graphql\`
  subscription FleetSubscription { vehicleLocations(snapshot: true) { id speed } }
\`
export const node = graphql\`
  query FleetNodeQuery($id: ID!) { node(id: $id) { id ... on Vehicle { name } } }
\`
`

interface Fleet {
  readonly vehicles: {
    readonly edges: readonly {
      readonly node: { readonly id: string; readonly latestLocation: { readonly speed: number } | null }
    }[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
  }
}

let harness: ClientHarness
let environment: Environment
let folder: string
beforeAll(async () => {
  harness = await ClientHarness.start()
  environment = (await documentedClient<Environment>('createRelay'))(harness.origin, harness.getToken)
  folder = await mkdtemp(join(process.cwd(), 'dist', 'relay-'))
  await mkdir(join(folder, 'generated'))
  await writeFile(join(folder, 'Fleet.js'), APP)
  const config = {
    src: '.',
    schema: resolve('schema/api.graphql'),
    language: 'javascript',
    artifactDirectory: 'generated',
    eagerEsModules: true,
  }
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config))
  const compiler = resolve('node_modules/.bin/relay-compiler')
  await promisify(execFile)(compiler, ['--output', 'quiet-with-errors'], { cwd: folder })
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await harness[Symbol.asyncDispose]()
})

async function compiled(name: string): Promise<ConcreteRequest> {
  const { href } = pathToFileURL(join(folder, 'generated', `${name}.graphql.js`))
  return ((await import(/* @vite-ignore */ href)) as { default: ConcreteRequest }).default
}

test('merges the pages of a connection, and locations that arrive live into their vehicles', async () => {
  const ids = await harness.vehicleIds()
  const request = await compiled('FleetQuery')
  const operation = createOperationDescriptor(request, {})
  const retained = environment.retain(operation)
  const shown = () => (environment.lookup(operation.fragment).data as unknown as Fleet).vehicles
  await fetchQuery(environment, request, {}).toPromise()
  while (shown().pageInfo.hasNextPage)
    await fetchQuery(environment, request, { after: shown().pageInfo.endCursor }).toPromise()
  expect(shown().edges.map(({ node }) => node.id)).toEqual(ids.all)

  const live = requestSubscription(environment, {
    subscription: await compiled('FleetSubscription'),
    variables: {},
  })
  const [vehicleId] = ids.located
  await harness.drive(vehicleId!, 71.5)
  await until(
    () => shown().edges.find(({ node }) => node.id === vehicleId)?.node.latestLocation?.speed === 71.5,
  )
  live.dispose()
  retained.dispose()
})

test('refetches a record through `node`', async () => {
  const [id] = (await harness.vehicleIds()).all
  const request = await compiled('FleetNodeQuery')
  const data = await fetchQuery(environment, request, { id: id! }).toPromise()
  expect(data).toEqual({ node: { id, name: expect.any(String) } })
})
