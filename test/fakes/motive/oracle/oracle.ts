import type { Fake } from '../../kit/fake.ts'
import { FakeRequest } from '../fake-request.ts'
import type { MotiveSwitches } from '../behaviours.ts'
import type { Motive } from '../motive.ts'
import { faults, safetyEvents, trips } from './timed-records.ts'
import { availableTimes, dailyLogs, logs } from './hos.ts'
import { latest, latestTrailers, locations, stats } from './places.ts'
import { ifta, utilization } from './rollups.ts'
import { devices, drivers, groups, trailers, vehicles } from './roster.ts'
import type { NormalizedRecord } from './conversions.ts'

type ExpectedRecords = (request: FakeRequest, from: number, to: number) => NormalizedRecord[]

/** Rosters and current state ignore the period. */
const expectedRecords: Readonly<Record<string, ExpectedRecords>> = {
  Group: groups,
  Driver: drivers,
  Vehicle: vehicles,
  Device: devices,
  Trailer: trailers,
  Trip: trips,
  SafetyEvent: safetyEvents,
  FaultCodeEvent: faults,
  HOSLog: logs,
  HOSDailyLog: dailyLogs,
  HOSAvailableTime: availableTimes,
  VehicleLocation: locations,
  VehicleStatLog: stats,
  LatestVehicleLocation: latest,
  LatestTrailerLocation: latestTrailers,
  VehicleUtilization: utilization,
  IFTASummary: ifta,
}

/**
 * Returns the records that an adapter should read, in the names and units of normalized records. Ids are those of
 * Motive, except `speeding:id`, `vehicle:date` of utilization and `vehicle:month:jurisdiction` of IFTA.
 */
export function oracleOf(motive: Motive, switches: MotiveSwitches): Fake['truth'] {
  const plain = { query: new URLSearchParams(), params: {}, headers: {} }
  return Object.fromEntries(
    Object.entries(expectedRecords).map(([model, recordsOf]) => [
      model,
      (account: number, from: number, to: number) => {
        const company = motive.company(account)
        if (!company) return []
        const request = new FakeRequest(company, switches, plain)
        return recordsOf(request, Math.max(from, company.world.startsAt), Math.min(to, company.now + 1))
      },
    ]),
  )
}
