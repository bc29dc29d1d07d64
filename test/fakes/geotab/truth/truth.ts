import type { Ms } from '../../world/truth.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { faultCodeEvents } from './faults.ts'
import { hosAvailableTimes, hosDailyLogs, hosLogs } from './hos.ts'
import { iftaSummaries, vehicleUtilizations } from './derived.ts'
import { latestVehicleLocations, vehicleLocations, vehicleStatLogs } from './places.ts'
import { devices, drivers, groups, trailers, vehicles } from './roster.ts'
import { safetyEvents } from './safety.ts'
import { trips } from './trips.ts'

/**
 * Records that an adapter should read, by model, in the names and units of normalized records. Times are unix
 * milliseconds. They are computed from the world, not from responses.
 */
export const models: Readonly<Record<string, (fleet: Fleet, from: Ms, to: Ms) => readonly object[]>> = {
  Group: groups,
  Driver: drivers,
  Vehicle: vehicles,
  Device: devices,
  Trailer: trailers,
  Trip: trips,
  SafetyEvent: safetyEvents,
  FaultCodeEvent: faultCodeEvents,
  HOSLog: hosLogs,
  HOSDailyLog: hosDailyLogs,
  HOSAvailableTime: hosAvailableTimes,
  VehicleUtilization: vehicleUtilizations,
  IFTASummary: iftaSummaries,
  VehicleLocation: vehicleLocations,
  VehicleStatLog: vehicleStatLogs,
  LatestVehicleLocation: latestVehicleLocations,
  LatestTrailerLocation: () => [],
}
