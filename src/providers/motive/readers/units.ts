import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { memoizePerAccount } from '../../http/memoize.ts'
import { idOf } from './groups.ts'
import { readAllItems } from './paging/pages.ts'

const measured = z.looseObject({ metric_units: z.boolean() })

/** Whether what is told of an item is metric; null where it does not say so. */
export const unitsIn = (item: unknown): boolean | null => measured.safeParse(item).data?.metric_units ?? null

/** Whether what is told of a vehicle is metric, by its id: the list of vehicles says so, places do not. */
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
