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
 * Expected records of a reader, in names and units of our models, with the provider's ids; times are unix
 * milliseconds. They are computed from the world, never from responses.
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
