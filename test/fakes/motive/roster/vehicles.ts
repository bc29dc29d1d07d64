import type { Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { isMetricVehicle } from '../company.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toTime } from '../formats.ts'
import { toDriverSummary, toEldSummary, yearOf } from './people.ts'

/** `/v1/vehicles`: including deactivated ones, optionally of one status. */
export function listVehicles(request: FakeRequest): object {
  const status = request.query.get('status')
  const vehicles = request.company
    .vehicles()
    .filter(
      (vehicle) => (status === null || statusOf(vehicle) === status) && request.isChanged(vehicle.updatedAt),
    )
  return pageOf(request, { list: 'vehicles', item: 'vehicle' }, vehicles, (vehicle) =>
    toVehicle(request, vehicle),
  )
}

const statusOf = ({ isActive }: Vehicle) => (isActive ? 'active' : 'deactivated')

/** Returns the fuel type. The published list of 2017 lacks `electric`. */
const fuelOf = (request: FakeRequest, { fuel }: Vehicle): string =>
  fuel === 'electric' && request.is('electricFuel', 'other') ? 'other' : fuel

function toVehicle(request: FakeRequest, vehicle: Vehicle): object {
  const { company } = request
  const driver = company.driver(company.world.lastFix(vehicle.number)?.driver ?? null)
  return {
    id: id('vehicle', vehicle.number),
    company_id: company.id,
    number: vehicle.name,
    status: statusOf(vehicle),
    ifta: true,
    vin: vehicle.vin,
    make: vehicle.make,
    model: vehicle.model,
    year: yearOf(vehicle),
    license_plate_state: vehicle.plateState,
    license_plate_number: vehicle.plate,
    metric_units: request.isMetric(isMetricVehicle(vehicle.number)),
    fuel_type: fuelOf(request, vehicle),
    prevent_auto_odometer_entry: false,
    notes: null,
    created_at: toTime(vehicle.createdAt),
    updated_at: toTime(vehicle.updatedAt),
    ...(request.is('groupIds', 'sent') && { group_ids: vehicle.groups.map((group) => id('group', group)) }),
    eld_device: toEldSummary(vehicle),
    current_driver: toDriverSummary(driver),
  }
}
