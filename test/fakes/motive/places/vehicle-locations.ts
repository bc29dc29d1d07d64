import type { Fix, Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { pageOf } from '../pages.ts'
import { toDriverSummary, toVehicleSummary } from '../roster/people.ts'
import { toFullLocation, toLocation } from './fixes.ts'

type LocationFormat = (request: FakeRequest, vehicle: Vehicle, fix: Fix) => object

const listWith =
  (format: LocationFormat) =>
  (request: FakeRequest): object =>
    pageOf(request, { list: 'vehicles', item: 'vehicle' }, request.vehicles(), (vehicle) => {
      const fix = request.company.world.lastFix(vehicle.number)
      const { metric_units, ...summary } = toVehicleSummary(request, vehicle)
      return {
        ...summary,
        ...(request.is('latestUnits', 'sent') && { metric_units }),
        current_location: fix && format(request, vehicle, fix),
        current_driver: toDriverSummary(request.company.driver(fix?.driver ?? null)),
      }
    })

/** `/v1/vehicle_locations` and `/v2`: last location of each vehicle, or null. */
export const latestLocations = listWith(toLocation)

/** `/v3/vehicle_locations`: also with true counters and the fuel level. */
export const latestFullLocations = listWith(toFullLocation)
