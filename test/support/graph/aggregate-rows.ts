import { expect } from 'vitest'
import type { DailyUtilization } from '../../../src/subgraphs/records/totals/daily-utilization.ts'
import { DAY, MINUTE, NOON, rawRow, type RecordsOf, vehicleRow } from '../factories.ts'
import { iftaMonthRow, vehicleDayRow } from '../rows/record-rows.ts'

/** Three vehicles: one with many rows, one with few, one with deleted rows only. */
export const summed: RecordsOf = (owner) => {
  const vehicles = [0, 1, 2].map(() => vehicleRow(owner))
  const [much, little, none] = vehicles.map(({ id }) => id) as [string, string, string]
  const day = (vehicleId: string, date: string, values: Partial<DailyUtilization> = {}) =>
    vehicleDayRow(owner, { vehicleId, date, modifiedAt: NOON - 5 * DAY, ...values })
  const vehicleDays = [
    day(much, '2026-01-28', { distance: 100.5, fuelConsumed: 10.25, driving: 60 * MINUTE, idling: null }),
    day(much, '2026-01-29', { distance: 200, fuelConsumed: null, driving: 1, idling: 2, modifiedAt: NOON }),
    day(much, '2026-01-31', { distance: 400.25, fuelConsumed: 40, driving: null, idling: 5 * MINUTE }),
    day(much, '2026-01-30', { distance: 9999, deletedAt: NOON, modifiedAt: NOON }),
    day(little, '2026-01-29', { distance: 0, fuelConsumed: null, driving: null, idling: null }),
    day(none, '2026-01-29', { deletedAt: NOON }),
  ]
  const month = (vehicleId: string, jurisdiction: string, at: string, distance: number) =>
    iftaMonthRow(owner, { vehicleId, jurisdiction, month: at, distance })
  const iftaMonths = [
    ...['2025-11', '2025-12', '2026-01', '2026-02'].flatMap((at, nth) =>
      ['TX', 'OK', ''].map((jurisdiction, kind) => month(much, jurisdiction, at, 2 ** nth + kind / 4)),
    ),
    month(little, 'TX', '2026-01', 1024.5),
    month(little, 'ON', '2026-02', 0),
    month(little, '', '2026-02', 2048),
    iftaMonthRow(owner, { vehicleId: none, distance: 9999, deletedAt: NOON }),
  ]
  const rows = [...vehicleDays, ...iftaMonths]
  return {
    vehicles,
    vehicleDays,
    iftaMonths,
    raw: rows.map(({ id }) => rawRow(owner, id, { data: { of: id } })),
  }
}

export const GROUPINGS = ['VEHICLE', 'JURISDICTION', 'MONTH'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface Sum {
  readonly vehicle: { readonly id: string } | null
  readonly jurisdiction: string | null
  readonly month: string | null
  readonly distance: number
  readonly raw: readonly { readonly data: { readonly of: string } }[]
}

export interface Utilization {
  readonly vehicle: { readonly id: string }
  readonly startAt: string
  readonly endAt: string
  readonly distance: number
  readonly fuelConsumed: number | null
  readonly durations: { readonly driving: number | null; readonly idling: number | null } | null
  readonly raw: Sum['raw']
}

export interface SumPage<Node> {
  readonly totalCount: number
  readonly nodes: readonly Node[]
  readonly pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string
    endCursor: string
  }
}

export const IFTA = 'vehicle { id } jurisdiction month distance raw { data }'
export const UTILIZATION =
  'vehicle { id } startAt endAt distance fuelConsumed durations { driving idling } raw { data }'

/** Returns every subset of the items, in every order. */
export function orders<Item>(items: readonly Item[]): Item[][] {
  return items.flatMap((item) => [
    [item],
    ...orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  ])
}

/** Reads a whole list, one record at a time, from its start or end. */
export async function walked<Node>(
  count: 'first' | 'last',
  read: (cut: string) => Promise<SumPage<Node>>,
): Promise<Node[]> {
  const nodes: Node[] = []
  for (let from = ''; ;) {
    const page = await read(`${count}: 1${from}`)
    expect(page.nodes.length).toBe(1)
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
    if (count === 'first') nodes.push(...page.nodes)
    else nodes.unshift(...page.nodes)
    if (!(count === 'first' ? hasNextPage : hasPreviousPage)) return nodes
    from = count === 'first' ? `, after: "${endCursor}"` : `, before: "${startCursor}"`
  }
}
