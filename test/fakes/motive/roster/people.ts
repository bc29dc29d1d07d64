import type { Driver, Vehicle } from '../../world/truth.ts'
import { id } from '../ids.ts'
import type { FakeRequest } from '../fake-request.ts'
import { isMetricVehicle } from '../company.ts'

/** Returns the short form of a driver in other records. */
export const toDriverSummary = (driver: Driver | undefined) =>
  driver
    ? {
        id: id('user', driver.number),
        first_name: driver.firstName,
        last_name: driver.lastName,
        username: driver.username,
        email: driver.email,
        driver_company_id: null,
        status: driver.isActive ? 'active' : 'deactivated',
        role: 'driver',
      }
    : null

const NO_YEAR_EVERY = 11

/** The year of some vehicles is unknown. */
export const yearOf = ({ number, year }: Vehicle): string =>
  number % NO_YEAR_EVERY === 0 ? '' : String(year)

/** Returns the short form of a vehicle in other records. */
export const toVehicleSummary = (request: FakeRequest, vehicle: Vehicle) => ({
  id: id('vehicle', vehicle.number),
  number: vehicle.name,
  year: yearOf(vehicle),
  make: vehicle.make,
  model: vehicle.model,
  vin: vehicle.vin,
  metric_units: request.isMetric(isMetricVehicle(vehicle.number)),
})

export const toEldSummary = ({ number, deviceSerial }: Vehicle) => ({
  id: id('eld', number),
  identifier: deviceSerial,
  model: ELD_MODEL,
})

export const ELD_MODEL = 'lbb-3.6ca'
