import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { readableBoolean } from '../../mapping/boolean.ts'
import { memoizePerAccount } from '../../http/memoize.ts'
import { idOf } from './groups.ts'
import { readAllItems } from './paging/pages.ts'

const itemWithUnits = z.looseObject({ metric_units: readableBoolean })

/** Whether the values of an item are metric; null if it does not state its units. */
export const unitsIn = (item: unknown): boolean | null =>
  itemWithUnits.safeParse(item).data?.metric_units ?? null

/**
 * Whether the values of each vehicle are metric, by vehicle id. Locations do not state their units; the
 * vehicle list does.
 */
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
