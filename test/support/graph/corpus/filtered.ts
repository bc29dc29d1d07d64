import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

const VEHICLE_FIELDS = 'id name status metadata { visibility deletedAt }'
const DRIVER_FIELDS = 'id firstName works: status metadata { visibility }'

/** Records that the filters of a connection show and hide. */
export const filtered = ({ a }: SeededFleets): Case[] => {
  const [, second] = a.connections
  const ids = [...second!.vehicles, ...second!.drivers].map(({ id }) => id)
  return [
    ...['', '(hidden: true)', '(deleted: true)', '(hidden: true, deleted: true)'].map((args): Case => [
      `filtered lists ${args}`,
      `{ vehicles${args} { totalCount nodes { ${VEHICLE_FIELDS} } } drivers${args} { totalCount nodes { ${DRIVER_FIELDS} } } }`,
    ]),
    [
      'filtered lists of connections',
      `{ connections { nodes { filters vehicles(first: 2) { totalCount edges { cursor node { ${VEHICLE_FIELDS} } } pageInfo { hasNextPage endCursor } } drivers(last: 1) { totalCount nodes { ${DRIVER_FIELDS} } } all: vehicles(hidden: true) { totalCount nodes { id } } } } }`,
    ],
    [
      'a filter set by a variable',
      'query ($hidden: Boolean!) { vehicles(hidden: $hidden) { totalCount } connections { nodes { drivers(hidden: $hidden) { totalCount } } } }',
      { variables: { hidden: false } },
    ],
    [
      'hidden records by their ids',
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Vehicle { ${VEHICLE_FIELDS} } ... on Driver { ${DRIVER_FIELDS} } } }`,
      { variables: { ids } },
    ],
    [
      'hidden records in references',
      `{ trips { nodes { vehicle { ${VEHICLE_FIELDS} } driver { ${DRIVER_FIELDS} } } } hosLogs { nodes { codrivers { ${DRIVER_FIELDS} } } } devices { nodes { vehicle { metadata { visibility } } } } }`,
    ],
    [
      'only the visibility of referenced records',
      '{ trips { nodes { vehicle { metadata { visibility } } } } faultCodeEvents { nodes { vehicle { metadata { visibility } } } } }',
    ],
    [
      'filtered lists by modification time',
      `{ vehicles(modifiedAfter: "2026-01-30T00:00:00Z") { totalCount nodes { ${VEHICLE_FIELDS} } } drivers(modifiedBefore: "2026-01-30T00:00:00Z", hidden: true) { totalCount nodes { ${DRIVER_FIELDS} } } }`,
    ],
  ]
}

/** Cases with the token of the filtered connection. */
export const filteredConnection: readonly Case[] = [
  [
    'filtered lists of one connection',
    `{ vehicles { totalCount nodes { ${VEHICLE_FIELDS} } } drivers { totalCount nodes { ${DRIVER_FIELDS} } } every: vehicles(hidden: true, deleted: true) { totalCount nodes { ${VEHICLE_FIELDS} } } }`,
  ],
  [
    'sums of one connection',
    '{ iftaSummary(startMonth: "2025-01", endMonth: "2026-12") { totalCount nodes { jurisdiction distance } } vehicleUtilization { totalCount nodes { distance } } }',
  ],
]
