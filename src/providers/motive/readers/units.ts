import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { memoizePerAccount } from '../../http/memoize.ts'
import { idOf } from './groups.ts'
import { readAllItems } from './paging/pages.ts'

const measured = z.looseObject({ metric_units: z.boolean() })

/** Whether an item is metric; null if it does not state its units. */
export const unitsIn = (item: unknown): boolean | null => measured.safeParse(item).data?.metric_units ?? null

/** Whether each vehicle is metric, by id. Only the vehicle list has the units, not the locations. */
export const unitsOfVehicles = memoizePerAccount(
  async (api: ProviderApi): Promise<ReadonlyMap<string, boolean>> => {
    const vehicles = await readAllItems(api, '/v1/vehicles')
    return new Map(
      vehicles.flatMap((vehicle) => {
        const [id, isMetric] = [idOf(vehicle), unitsIn(vehicle)]
        return id === null || isMetric === null ? [] : [[id, isMetric] as const]
      }),
    )
  },
)
