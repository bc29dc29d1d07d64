import type { FakeRequest } from '../http/call.ts'
import type { NormalizedRecord } from './conversions.ts'
import { faultCodeEvents, iftaSummaries, vehicleUtilizations } from './engine.ts'
import { hosAvailableTimes, hosDailyLogs, hosLogs } from './hos.ts'
import {
  latestTrailerLocations,
  latestVehicleLocations,
  vehicleLocations,
  vehicleStatLogs,
} from './positions.ts'
import { devices, drivers, groups, trailers, vehicles } from './roster.ts'
import { safetyEvents, trips } from './travel.ts'

/** Records that an adapter should read, by model. Rosters and current state ignore the period. */
export const truths: Readonly<
  Record<string, (request: FakeRequest, from: number, to: number) => NormalizedRecord[]>
> = {
  Group: groups,
  Driver: drivers,
  Vehicle: vehicles,
  Trailer: trailers,
  Device: devices,
  Trip: trips,
  SafetyEvent: safetyEvents,
  FaultCodeEvent: faultCodeEvents,
  HOSLog: hosLogs,
  HOSDailyLog: hosDailyLogs,
  VehicleUtilization: vehicleUtilizations,
  VehicleLocation: vehicleLocations,
  VehicleStatLog: vehicleStatLogs,
  IFTASummary: iftaSummaries,
  LatestVehicleLocation: latestVehicleLocations,
  LatestTrailerLocation: latestTrailerLocations,
  HOSAvailableTime: hosAvailableTimes,
}
