import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

const SEEN = 'id name status metadata { visibility deletedAt }'
const KNOWN = 'id firstName works: status metadata { visibility }'

/** Records that the filters of a connection show and hide. */
export const filtered = ({ a }: SeededFleets): Case[] => {
  const [, second] = a.connections
  const ids = [...second!.vehicles, ...second!.drivers].map(({ id }) => id)
  return [
    ...['', '(hidden: true)', '(deleted: true)', '(hidden: true, deleted: true)'].map((args): Case => [
      `filtered lists ${args}`,
      `{ vehicles${args} { totalCount nodes { ${SEEN} } } drivers${args} { totalCount nodes { ${KNOWN} } } }`,
    ]),
    [
      'filtered lists of connections',
      `{ connections { nodes { filters vehicles(first: 2) { totalCount edges { cursor node { ${SEEN} } } pageInfo { hasNextPage endCursor } } drivers(last: 1) { totalCount nodes { ${KNOWN} } } all: vehicles(hidden: true) { totalCount nodes { id } } } } }`,
    ],
    [
      'whether a list would be filtered',
      'query ($hidden: Boolean!) { vehicles(hidden: $hidden) { totalCount } connections { nodes { drivers(hidden: $hidden) { totalCount } } } }',
      { variables: { hidden: false } },
    ],
    [
      'hidden records by their ids',
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Vehicle { ${SEEN} } ... on Driver { ${KNOWN} } } }`,
      { variables: { ids } },
    ],
    [
      'hidden records in mentions',
      `{ trips { nodes { vehicle { ${SEEN} } driver { ${KNOWN} } } } hosLogs { nodes { codrivers { ${KNOWN} } } } devices { nodes { vehicle { metadata { visibility } } } } }`,
    ],
    [
      'visibility alone of mentions',
      '{ trips { nodes { vehicle { metadata { visibility } } } } faultCodeEvents { nodes { vehicle { metadata { visibility } } } } }',
    ],
    [
      'filtered lists by time of change',
      `{ vehicles(modifiedAfter: "2026-01-30T00:00:00Z") { totalCount nodes { ${SEEN} } } drivers(modifiedBefore: "2026-01-30T00:00:00Z", hidden: true) { totalCount nodes { ${KNOWN} } } }`,
    ],
  ]
}

/** Cases with the token of the filtered connection. */
export const filteredAlone: readonly Case[] = [
  [
    'filtered lists of one connection',
    `{ vehicles { totalCount nodes { ${SEEN} } } drivers { totalCount nodes { ${KNOWN} } } every: vehicles(hidden: true, deleted: true) { totalCount nodes { ${SEEN} } } }`,
  ],
  [
    'sums of one connection',
    '{ iftaSummary(startMonth: "2025-01", endMonth: "2026-12") { totalCount nodes { jurisdiction distance } } vehicleUtilization { totalCount nodes { distance } } }',
  ],
]
