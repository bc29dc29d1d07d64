import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

const RAW = 'raw { provider schema extractedAt data }'

/** Location tracks, trip paths, and the raw provider data of both. */
export const series = ({ a, b }: SeededFleets): Case[] => {
  const { trips, vehicles } = a.connections[0]!
  const foreign = b.connections[0]!.trips[0]!.id
  const ids = [trips[0]!.id, trips[9]!.id, trips[10]!.id, foreign]
  return [
    [
      'points with everything',
      `{ vehicles { nodes { locations { totalCount nodes { id sourceId provider vehicle { id name } driver { firstName } locatedAt location { longitude latitude } address { formatted } heading speed metadata { modifiedAt } ${RAW} } } } } }`,
    ],
    [
      'latest locations with raw data',
      `{ vehicleLocations { totalCount nodes { locatedAt ${RAW} vehicle { latestLocation { ${RAW} } } } } }`,
    ],
    [
      'paths of trips',
      `{ trips { totalCount nodes { distance path { totalCount nodes { locatedAt sourceId address { formatted } vehicle { name } ${RAW} } pageInfo { hasNextPage endCursor } } } } }`,
    ],
    [
      'paths of trips forward and backward',
      '{ trips { nodes { early: path(first: 1) { edges { cursor node { locatedAt } } pageInfo { hasNextPage } } late: path(last: 1) { totalCount nodes { locatedAt } pageInfo { hasPreviousPage } } } } }',
    ],
    ['paths alone', '{ trips { nodes { path { totalCount } } } }'],
    [
      'paths of trips of vehicles',
      `query ($id: ID!) { vehicle(id: $id) { trips { nodes { path(first: 2) { nodes { locatedAt vehicle { trips(first: 1) { nodes { path(first: 1) { nodes { id } } } } } } } } } } }`,
      { variables: { id: vehicles[0]!.id } },
    ],
    [
      'paths of nodes',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Trip { path { totalCount nodes { id } } vehicle { name } } } }',
      { variables: { ids } },
    ],
    [
      'the path of a trip by its id',
      'query ($id: ID!) { trip(id: $id) { id path { nodes { speed } } } }',
      { variables: { id: trips[1]!.id } },
    ],
    [
      'paths of subjects',
      '{ events(types: ["sync.requested"]) { nodes { subject { id ... on Trip { path { nodes { locatedAt } } } } } } }',
    ],
  ]
}
