import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

const GROUPINGS = [
  '[VEHICLE]',
  '[JURISDICTION]',
  '[MONTH]',
  '[JURISDICTION, VEHICLE]',
  '[MONTH, VEHICLE]',
  '[MONTH, JURISDICTION]',
  '[MONTH, JURISDICTION, VEHICLE]',
  '[VEHICLE, VEHICLE]',
  'MONTH',
]
const IFTA =
  'provider jurisdiction month distance vehicle { id name } raw { provider schema extractedAt data }'

/** Daily and monthly aggregates. */
export const sums = ({ a }: SeededFleets): Case[] => {
  const [full, bare] = a.connections[0]!.vehicles
  const year = 'startMonth: "2025-01", endMonth: "2026-12"'
  return [
    [
      'utilization with everything',
      '{ vehicleUtilization { totalCount edges { cursor } nodes { provider startAt endAt distance fuelConsumed durations { driving idling } vehicle { id name latestLocation { speed } } raw { provider schema extractedAt data } } pageInfo { hasNextPage endCursor } } }',
    ],
    [
      'utilization of some days and vehicles',
      `query ($ids: [ID!], $from: Date, $to: Date) { vehicleUtilization(vehicleIds: $ids, startDate: $from, endDate: $to) { totalCount nodes { startAt endAt distance raw { schema } } } }`,
      { variables: { ids: [full!.id, bare!.id], from: '2026-01-29', to: '2026-01-30' } },
    ],
    [
      'utilization by time of change',
      '{ vehicleUtilization(modifiedAfter: "2026-01-31T00:00:00Z", modifiedBefore: "2027-01-01T00:00:00Z") { totalCount nodes { distance vehicle { id } } } }',
    ],
    [
      'utilization twice',
      '{ one: vehicleUtilization(first: 1) { totalCount nodes { distance raw { schema } } } two: vehicleUtilization(last: 2, startDate: "2026-01-30") { totalCount nodes { distance raw { schema } } } }',
    ],
    ...GROUPINGS.map((groupBy): Case => [
      `distances by ${groupBy}`,
      `{ iftaSummary(${year}, groupBy: ${groupBy}) { totalCount nodes { ${IFTA} } } }`,
    ]),
    [
      'distances by default',
      `{ iftaSummary(startMonth: "2026-01", endMonth: "2026-01") { totalCount edges { cursor node { ${IFTA} } } pageInfo { endCursor } } }`,
    ],
    [
      'groupings as a variable',
      `query ($by: [IftaGrouping!]!, $from: Month!, $to: Month = "2026-02") { iftaSummary(startMonth: $from, endMonth: $to, groupBy: $by) { totalCount nodes { ${IFTA} } } }`.replace(
        '$to: Month =',
        '$to: Month! =',
      ),
      { variables: { by: ['MONTH', 'JURISDICTION'], from: '2026-01' } },
    ],
    [
      'groupings by default of a variable',
      `query ($by: [IftaGrouping!]! = [MONTH]) { iftaSummary(${year}, groupBy: $by) { nodes { month distance } } }`,
    ],
    [
      'groupings that are left out',
      `query ($by: [IftaGrouping!]) { iftaSummary(${year}, groupBy: $by) { nodes { jurisdiction distance } } }`,
    ],
    [
      'vehicles of distances',
      `{ iftaSummary(${year}, groupBy: [VEHICLE]) { nodes { vehicle { trips(first: 1) { nodes { id } } metadata { visibility } } } } }`,
    ],
    [
      'no month in the range',
      '{ iftaSummary(startMonth: "2020-01", endMonth: "2019-01") { totalCount nodes { distance } } }',
    ],
  ]
}
