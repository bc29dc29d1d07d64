import type { PlantedFleets } from '../fleets.ts'
import type { Case, Cursors } from './operation.ts'

export const pages = ({ a }: PlantedFleets, given: Cursors): Case[] => {
  const vehicle = a.connections[0]!.vehicles[0]!.id
  const page = 'edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
  return [
    [
      'forward',
      `query ($after: String) { vehicles(first: 2, after: $after) { ${page} } }`,
      { variables: { after: given.vehicles[1] } },
    ],
    [
      'backward',
      `query ($before: String) { vehicles(last: 2, before: $before) { ${page} } }`,
      { variables: { before: given.vehicles.at(-1) } },
    ],
    [
      'from both ends',
      `query ($after: String, $before: String) { trips(first: 3, after: $after, before: $before) { ${page} } }`,
      { variables: { after: given.trips[1], before: given.trips[5] } },
    ],
    [
      'the last page',
      `query ($after: String) { trips(after: $after) { ${page} } }`,
      { variables: { after: given.trips.at(-2) } },
    ],
    [
      'an empty page',
      `query ($after: String) { trips(after: $after) { ${page} } }`,
      { variables: { after: given.trips.at(-1) } },
    ],
    [
      'newest first',
      `query ($after: String) { syncs(first: 2, after: $after) { ${page} } }`,
      { variables: { after: given.syncs[0] } },
    ],
    [
      'pages of connections',
      `query ($after: String) { connections(first: 1, after: $after) { edges { node { vehicles(first: 1) { ${page} } } } ${page} } }`,
      { variables: { after: given.connections[0] } },
    ],
    [
      'pages of a track',
      `query ($id: ID!, $after: String) { vehicle(id: $id) { name locations(first: 2, after: $after) { ${page} } } }`,
      { variables: { id: vehicle, after: given.track[2] } },
    ],
    [
      'nested pages backward',
      `{ vehicles { nodes { trips(last: 1) { ${page} } locations(last: 2) { nodes { locatedAt } } } } }`,
    ],
  ]
}
