import type { Vehicle } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { isMetricVehicle } from '../company.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toTime } from '../wording.ts'
import { toDriverSummary, toEldSummary, yearOf } from './people.ts'

/** `/v1/vehicles`: deactivated ones too, unless those of one status are asked for. */
export function listVehicles(asked: Asked): object {
  const status = asked.query.get('status')
  const vehicles = asked.company
    .vehicles()
    .filter(
      (vehicle) => (status === null || statusOf(vehicle) === status) && asked.isChanged(vehicle.updatedAt),
    )
  return pageOf(asked, { list: 'vehicles', item: 'vehicle' }, vehicles, (vehicle) =>
    toVehicle(asked, vehicle),
  )
}

const statusOf = ({ isActive }: Vehicle) => (isActive ? 'active' : 'deactivated')

/** The list of valid types has no electric one. */
const fuelOf = (asked: Asked, { fuel }: Vehicle): string =>
  fuel === 'electric' && asked.is('electricFuel', 'other') ? 'other' : fuel

function toVehicle(asked: Asked, vehicle: Vehicle): object {
  const { company } = asked
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
    metric_units: asked.isMetric(isMetricVehicle(vehicle.number)),
    fuel_type: fuelOf(asked, vehicle),
    prevent_auto_odometer_entry: false,
    notes: null,
    created_at: toTime(vehicle.createdAt),
    updated_at: toTime(vehicle.updatedAt),
    ...(asked.is('groupIds', 'told') && { group_ids: vehicle.groups.map((group) => id('group', group)) }),
    eld_device: toEldSummary(vehicle),
    current_driver: toDriverSummary(driver),
  }
}
