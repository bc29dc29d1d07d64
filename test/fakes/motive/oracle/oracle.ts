import type { Fake } from '../../kit/fake.ts'
import { Asked } from '../asked.ts'
import type { MotiveSwitches } from '../behaviours.ts'
import type { Motive } from '../motive.ts'
import { faults, safetyEvents, trips } from './happenings.ts'
import { availableTimes, dailyLogs, logs } from './hos.ts'
import { latest, latestTrailers, locations, stats } from './places.ts'
import { ifta, utilization } from './rollups.ts'
import { devices, drivers, groups, trailers, vehicles } from './roster.ts'
import type { Draft } from './words.ts'

type Telling = (asked: Asked, from: number, to: number) => Draft[]

/** Rosters and what is only of now have no time. */
const tellings: Readonly<Record<string, Telling>> = {
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
 * What a reader should come to, in the words and units of the service's drafts. Ids are Motive's own; an id of
 * speeding is `speeding:id`, utilization is `vehicle:date`, IFTA `vehicle:month:jurisdiction`.
 */
export function oracleOf(motive: Motive, switches: MotiveSwitches): Fake['truth'] {
  const plain = { query: new URLSearchParams(), params: {}, headers: {} }
  return Object.fromEntries(
    Object.entries(tellings).map(([model, tell]) => [
      model,
      (account: number, from: number, to: number) => {
        const company = motive.company(account)
        if (!company) return []
        const asked = new Asked(company, switches, plain)
        return tell(asked, Math.max(from, company.world.startsAt), Math.min(to, company.now + 1))
      },
    ]),
  )
}
