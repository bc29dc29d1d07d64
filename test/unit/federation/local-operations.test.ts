import { expect, test } from 'vitest'
import { compose } from '../../../src/gateway/compose.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'
import { createOperationRouter } from '../../../src/gateway/execution/operation-router.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'

const fuel = {
  name: 'fuel',
  sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
    interface Node { id: ID! }
    type FuelPurchase implements Node @key(fields: "id") { id: ID! liters: Float! }
    type Vehicle @key(fields: "id") { id: ID! fuelPurchases: [FuelPurchase!] }
    type Query { fuelPurchase(id: ID!): FuelPurchase }`,
}
const { apiSchema } = compose([...subgraphs, fuel])

const isLocal = (query: string, remote: readonly string[]) =>
  createOperationRouter(apiSchema, subgraphs, new Set(remote))(soleOperation(query))

test.each([
  ['{ vehicles { nodes { id name metadata { addedAt } trips { nodes { distance } } } } }', ['fuel'], true],
  ['{ vehicles { nodes { fuelPurchases { liters } } } }', ['fuel'], false],
  ['{ vehicles { ...F } } fragment F on VehiclePage { nodes { fuelPurchases { id } } }', ['fuel'], false],
  ['{ fuelPurchase(id: 1) { id } }', ['fuel'], false],
  ['{ node(id: 1) { id ... on Vehicle { name } } }', ['fuel'], true],
  ['{ node(id: 1) { ... on FuelPurchase { liters } } }', ['fuel'], false],
  // Introspection is not local: the in-process schema lacks the types of custom subgraphs.
  ['{ __typename __schema { queryType { name } } }', ['fuel'], false],
  ['{ trips { nodes { distance vehicle { __typename id } } } }', ['fleet'], true],
  ['{ trips { nodes { vehicle { name } } } }', ['fleet'], false],
  ['{ faultCodeEvents { nodes { status vehicle { id } } } }', ['records'], false],
  ['subscription { events { id subject { id } } }', ['fleet'], true],
  ['subscription { events { id subject { ... on Vehicle { name } } } }', ['fleet'], false],
  ['mutation { updateConnection(input: {}) { connection { status } } }', ['connections'], false],
])('%s with remote subgraphs %j: executed locally %s', (query, remote, expected) => {
  expect(isLocal(query, remote)).toBe(expected)
})
