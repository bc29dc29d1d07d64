import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

/** References to rows that do not exist. */
export const missing = ({ a }: SeededFleets): Case[] => {
  const [first] = a.connections
  const trip = first!.trips[9]!.id
  const one = (selection: string) => `query ($trip: ID!) { trip(id: $trip) { distance ${selection} } }`
  const cases: readonly (readonly [string, string])[] = [
    ['nothing but ids', 'vehicle { id } driver { id }'],
    ['nullable fields', 'vehicle { name } driver { firstName }'],
    ['ids and nullable fields', 'vehicle { id name } driver { id firstName }'],
    ['required fields', 'vehicle { status metadata { addedAt } } driver { status }'],
    [
      'fields of others alone',
      'vehicle { latestLocation { speed } trips { nodes { id } } } driver { trips { nodes { id } } }',
    ],
    [
      'fields of the owner and of others',
      'vehicle { name latestLocation { speed } trips { nodes { id } } groups { name } } driver { lastName safetyEvents { nodes { id } } }',
    ],
    ['the type', 'vehicle { __typename } driver { __typename firstName }'],
    [
      'skipped fields',
      'vehicle { id name @include(if: false) } driver { id ... @skip(if: true) { firstName } }',
    ],
    ['skipped selections', 'vehicle { id } vehicle @include(if: false) { name }'],
  ]
  return [
    ...cases.map(([name, selection]): Case => [
      `missing rows: ${name}`,
      one(selection),
      { variables: { trip } },
    ]),
    [
      'missing rows in lists',
      '{ trips { nodes { id vehicle { name } driver { status } } } safetyEvents { nodes { vehicle { vin } } } }',
    ],
    [
      'missing rows of the same subgraph',
      '{ devices { nodes { vehicle { id name } } } groups { nodes { parent { name } } } vehicles { nodes { groups { name } } } }',
    ],
    [
      'missing rows of the same subgraph by id',
      '{ devices { nodes { vehicle { id } } } groups { nodes { parent { id } } } vehicles { nodes { groups { id } } } }',
    ],
    [
      'missing rows of the same subgraph with fields of others',
      '{ devices { nodes { vehicle { latestLocation { speed } trips { nodes { id } } } } } }',
    ],
    [
      'missing drivers of locations',
      '{ vehicleLocations { nodes { driver { firstName status } vehicle { name } } } }',
    ],
    ['missing subjects', '{ events { nodes { type subject { id ... on Vehicle { name status } } } } }'],
    ['missing subjects by id', '{ events { nodes { type subject { id __typename } } } }'],
  ]
}
