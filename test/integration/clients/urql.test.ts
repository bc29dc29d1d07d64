import { type Client, gql } from '@urql/core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ClientHarness } from '../../support/clients/client-harness.ts'
import { documentedClient } from '../../support/clients/documented-client.ts'
import { until } from '../../support/federation/federation-harness.ts'

// Browsers and newer versions of Node have a WebSocket of their own.
vi.stubGlobal('WebSocket', WebSocket)

const VEHICLES = gql`
  query Vehicles($after: String) {
    vehicles(first: 2, after: $after) {
      edges {
        node {
          id
          latestLocation {
            id
            speed
            location {
              latitude
            }
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

interface Vehicles {
  readonly vehicles: {
    readonly edges: readonly {
      readonly node: { readonly id: string; readonly latestLocation: { readonly speed: number } | null }
    }[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  }
}

let harness: ClientHarness
let client: Client
beforeAll(async () => {
  harness = await ClientHarness.start()
  client = (await documentedClient<Client>('createUrql'))(harness.origin, harness.getToken)
})
afterAll(() => harness[Symbol.asyncDispose]())

test('merges the pages of a list, and locations that arrive live into their vehicles', async () => {
  const ids = await harness.vehicleIds()
  const warnings = vi.spyOn(console, 'warn')
  let shown: Vehicles | undefined
  const watch = (variables: { after?: string | null }) =>
    client.query<Vehicles>(VEHICLES, variables).subscribe(({ data, error }) => {
      expect(error).toBeUndefined()
      if (data) shown = data
    })
  const watching = [watch({})]
  await until(() => shown !== undefined)
  while (shown!.vehicles.pageInfo.hasNextPage) {
    const { edges, pageInfo } = shown!.vehicles
    watching.push(watch({ after: pageInfo.endCursor }))
    await until(() => shown!.vehicles.edges.length > edges.length)
  }
  expect(shown!.vehicles.edges.map(({ node }) => node.id)).toEqual(ids.all)

  const live = client.subscription(LOCATIONS, {}).subscribe(() => {})
  const [vehicleId] = ids.located
  const speed = () =>
    shown!.vehicles.edges.find(({ node }) => node.id === vehicleId)?.node.latestLocation?.speed
  await harness.drive(vehicleId!, 71.5)
  await until(() => speed() === 71.5)
  for (const { unsubscribe } of [live, ...watching]) unsubscribe()
  // Graphcache warns of types without a key.
  expect(warnings).not.toHaveBeenCalled()
})
