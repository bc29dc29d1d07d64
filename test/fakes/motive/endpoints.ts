import type { FakeRequest } from './fake-request.ts'
import { assetLocations } from './places/asset-locations.ts'
import { history, historyOfDay } from './places/history.ts'
import { latestFullLocations, latestLocations } from './places/vehicle-locations.ts'
import { availableTime } from './records/available-time.ts'
import { listDrivingPeriods } from './records/driving-periods.ts'
import { listFaultCodes } from './records/fault-codes.ts'
import { listHoursOfService, listLogs } from './records/logs.ts'
import { listPerformanceEvents } from './records/performance-events.ts'
import { listSpeedingEvents } from './records/speeding-events.ts'
import { driverUtilization } from './rollups/driver-utilization.ts'
import { iftaSummary } from './rollups/ifta.ts'
import { vehicleIdleRollups, vehicleUtilization } from './rollups/vehicle-utilization.ts'
import { listAssets } from './roster/assets.ts'
import { listCompanies } from './roster/companies.ts'
import { listEldDevices } from './roster/eld-devices.ts'
import { listGroups, listGroupUsers, listGroupVehicles } from './roster/groups.ts'
import { listUsers } from './roster/users.ts'
import { listVehicles } from './roster/vehicles.ts'

export interface Endpoint {
  readonly path: string
  /** Scope that an OAuth token needs. */
  readonly scope: string
  /** Concurrency limit. */
  readonly mostAtOnce?: number
  readonly answer: (request: FakeRequest) => object
}

const get = (path: string, scope: string, answer: Endpoint['answer']): Endpoint => ({ path, scope, answer })

/** Returns the same endpoint in several versions. */
const getIn = (versions: readonly number[], path: string, scope: string, answer: Endpoint['answer']) =>
  versions.map((version) => get(`/v${version}/${path}`, scope, answer))

const locations = 'locations.vehicle_locations_list'
const location = 'locations.vehicle_locations_single'

export const endpoints: readonly Endpoint[] = [
  get('/v1/companies', 'companies.read', listCompanies),
  get('/v1/users', 'users.read', listUsers),
  get('/v1/vehicles', 'vehicles.read', listVehicles),
  get('/v1/groups', 'groups.read', listGroups),
  get('/v1/groups/:id/vehicles', 'groups.read', listGroupVehicles),
  get('/v1/groups/:id/users', 'groups.read', listGroupUsers),
  get('/v1/eld_devices', 'eld_devices.read', listEldDevices),
  get('/v1/assets', 'assets.read', listAssets),
  ...getIn([1, 2, 3], 'asset_locations', 'assets.read', assetLocations),
  ...getIn([1, 2], 'vehicle_locations', locations, latestLocations),
  get('/v3/vehicle_locations', locations, latestFullLocations),
  ...getIn([1, 2], 'vehicle_locations/:id', location, historyOfDay),
  { ...get('/v3/vehicle_locations/:id', location, history), mostAtOnce: 10 },
  get('/v1/driving_periods', 'driving_periods.read', listDrivingPeriods),
  get('/v1/logs', 'hos_logs.logs', listLogs),
  get('/v1/hours_of_service', 'hos_logs.hours_of_service', listHoursOfService),
  get('/v1/available_time', 'hos_logs.available_time', availableTime),
  ...getIn([1, 2], 'driver_performance_events', 'driver_performance_events.read', listPerformanceEvents),
  get('/v1/speeding_events', 'driver_performance_events.read', listSpeedingEvents),
  get('/v1/fault_codes', 'fault_codes.read', listFaultCodes),
  get('/v1/vehicle_utilization', 'utilization.vehicle_utilization', vehicleIdleRollups),
  get('/v2/vehicle_utilization', 'utilization.vehicle_utilization', vehicleUtilization),
  ...getIn([1, 2], 'driver_utilization', 'utilization.driver_utilization', driverUtilization),
  get('/v1/ifta/summary', 'ifta_reports.summary', iftaSummary),
]
