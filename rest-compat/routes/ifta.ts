import { z } from 'zod'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import { expand, enumListParameter, month, startNotAfterEnd, page, raw } from '../request/query-params.ts'
import { route } from '../route.ts'

export const getIftaSummary = route({
  method: 'GET',
  path: '/ifta/summary',
  summary: 'Summarize distance by jurisdiction',
  tag: 'IFTA',
  auth: 'connection',
  query: z
    .object({
      ...page,
      startMonth: month,
      endMonth: month,
      groupBy: enumListParameter('vehicle', 'jurisdiction', 'month'),
      raw,
      expand: expand('vehicle'),
    })
    .check(startNotAfterEnd('startMonth', 'endMonth')),
  operation: `
    query GetIFTASummary(
      $first: Int, $after: String, $startMonth: Month!, $endMonth: Month!,
      $groupBy: [IftaGrouping!]! = [VEHICLE, JURISDICTION], $raw: Boolean!, $vehicle: Boolean!
    ) {
      iftaSummary(
        first: $first, after: $after, startMonth: $startMonth, endMonth: $endMonth, groupBy: $groupBy
      ) { nodes { ...IftaSummary } ${pageInfo} }
    }`,
  response: pageShape('iftaSummary'),
})
