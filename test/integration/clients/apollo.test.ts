import { readFileSync } from 'node:fs'
import { type ApolloClient, gql } from '@apollo/client'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ClientHarness } from '../../support/clients/client-harness.ts'
import { documentedClient } from '../../support/clients/documented-client.ts'
import { codeBlocks } from '../../support/documentation.ts'
import { until } from '../../support/federation/federation-harness.ts'

// Browsers and newer versions of Node have a WebSocket of their own.
vi.stubGlobal('WebSocket', WebSocket)

const VEHICLES = gql`
  query Vehicles($after: String) {
    vehicles(first: 2, after: $after) {
      edges {
        node {
          id
          name
          latestLocation {
            id
            speed
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`
const LOCATIONS = gql`
  subscription Locations {
    vehicleLocations(snapshot: true) {
      id
      speed
    }
  }
`
const FAULTS = gql`
  query Faults {
    faultCodeEvents(first: 100) {
      nodes {
        id
        ...Seen
      }
    }
  }
  fragment Seen on FaultCodeEvent {
    protocol
  }
`

interface Vehicles {
  readonly vehicles: {
    readonly edges: readonly {
      readonly node: {
        readonly id: string
        readonly latestLocation: { readonly id: string; readonly speed: number } | null
      }
    }[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  }
}

let harness: ClientHarness
let client: ApolloClient
beforeAll(async () => {
  harness = await ClientHarness.start()
  const createApollo = await documentedClient<ApolloClient>('createApollo')
  client = createApollo(harness.origin, harness.getToken)
})
afterAll(async () => {
  client.stop()
  await harness[Symbol.asyncDispose]()
})

test('merges the pages of a list, and locations that arrive live into their vehicles', async () => {
  const ids = await harness.vehicleIds()
  const query = client.watchQuery<Vehicles>({ query: VEHICLES })
  let shown: Vehicles | undefined
  const watching = query.subscribe(({ data, dataState }) => {
    if (dataState === 'complete') shown = data as Vehicles
  })
  await until(() => shown !== undefined)
  while (shown!.vehicles.pageInfo.hasNextPage) {
    const { edges, pageInfo } = shown!.vehicles
    await query.fetchMore({ variables: { after: pageInfo.endCursor } })
    await until(() => shown!.vehicles.edges.length > edges.length)
  }
  expect(shown!.vehicles.edges.map(({ node }) => node.id)).toEqual(ids.all)

  const live = client.subscribe({ query: LOCATIONS }).subscribe({})
  const [vehicleId] = ids.located
  const speed = () =>
    shown!.vehicles.edges.find(({ node }) => node.id === vehicleId)?.node.latestLocation?.speed
  await harness.drive(vehicleId!, 71.5)
  await until(() => speed() === 71.5)
  live.unsubscribe()
  watching.unsubscribe()
})

test('keeps lists with different filters apart', () => {
  const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'))
  const { vehicles } = schema.getQueryType()!.getFields()
  const names = vehicles!.args.map(({ name }) => name)
  const filters = names.filter((name) => !['first', 'after', 'last', 'before'].includes(name))
  const [, code = ''] = codeBlocks('js').find(([, text]) => text.includes('createApollo'))!
  const [, listed = ''] = /vehicles: relayStylePagination\(\[([^\]]*)\]/.exec(code)!
  expect(listed.match(/\w+/g)!.toSorted()).toEqual(filters.toSorted())
})

test('matches fragments on an interface', async () => {
  const { data } = await client.query<{
    faultCodeEvents: { nodes: { __typename: string; protocol?: string }[] }
  }>({ query: FAULTS })
  const { nodes } = data!.faultCodeEvents
  expect(new Set(nodes.map((node) => node.__typename)).size).toBe(2)
  for (const { protocol } of nodes) expect(protocol).toEqual(expect.any(String))
})
