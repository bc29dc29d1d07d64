import { defineSubgraph } from '../define.ts'
import { FaultCodeEventResolver, resolveFaultCodeEvent } from './fault-code-event.resolver.ts'
import { faultCodeTypeOf, J1939FaultCodeEvent, ObdiiFaultCodeEvent } from './fault-code-event.ts'
import { HosResolver, resolveHosDailyLog, resolveHosLog } from './hos.resolver.ts'
import { DriverOfRecordsResolver, VehicleOfRecordsResolver } from './owners.resolver.ts'
import { DriverOfRecords, VehicleOfRecords } from './owners.ts'
import { resolveSafetyEvent, SafetyEventResolver } from './safety-event.resolver.ts'
import { SumsResolver } from './sums.resolver.ts'
import { resolveTrip, TripResolver } from './trip.resolver.ts'

/** What happened over a time: trips, safety events, hours of service, faults, and distances. */
export const recordsSubgraph = defineSubgraph({
  name: 'records',
  resolvers: [
    TripResolver,
    SafetyEventResolver,
    HosResolver,
    FaultCodeEventResolver,
    SumsResolver,
    VehicleOfRecordsResolver,
    DriverOfRecordsResolver,
  ],
  owned: {
    Trip: resolveTrip,
    SafetyEvent: resolveSafetyEvent,
    HosLog: resolveHosLog,
    HosDailyLog: resolveHosDailyLog,
    J1939FaultCodeEvent: resolveFaultCodeEvent,
    ObdiiFaultCodeEvent: resolveFaultCodeEvent,
  },
  interfaces: { FaultCodeEvent: faultCodeTypeOf },
  orphans: [VehicleOfRecords, DriverOfRecords, J1939FaultCodeEvent, ObdiiFaultCodeEvent],
})
