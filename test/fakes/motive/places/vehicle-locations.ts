import type { Fix, Vehicle } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { pageOf } from '../pages.ts'
import { toDriverSummary, toVehicleSummary } from '../roster/people.ts'
import { toFullLocation, toLocation } from './fixes.ts'

type Telling = (asked: Asked, vehicle: Vehicle, fix: Fix) => object

const listWith =
  (tell: Telling) =>
  (asked: Asked): object =>
    pageOf(asked, { list: 'vehicles', item: 'vehicle' }, asked.vehicles(), (vehicle) => {
      const fix = asked.company.world.lastFix(vehicle.number)
      const { metric_units, ...summary } = toVehicleSummary(asked, vehicle)
      return {
        ...summary,
        ...(asked.is('latestUnits', 'told') && { metric_units }),
        current_location: fix && tell(asked, vehicle, fix),
        current_driver: toDriverSummary(asked.company.driver(fix?.driver ?? null)),
      }
    })

/** `/v1/vehicle_locations` and `/v2`: where each vehicle is; null before it was anywhere. */
export const latestLocations = listWith(toLocation)

/** `/v3/vehicle_locations`: with the true counters and what is left in the tank. */
export const latestFullLocations = listWith(toFullLocation)
