import { defineSubgraph } from '../define.ts'
import { DriverOfRecordsResolver, VehicleOfRecordsResolver } from './owners.resolver.ts'
import { DriverOfRecords, VehicleOfRecords } from './owners.ts'
import { resolveSafetyEvent, SafetyEventResolver } from './safety-event.resolver.ts'
import { resolveTrip, TripResolver } from './trip.resolver.ts'

/** What happened over a time: trips and safety events. */
export const recordsSubgraph = defineSubgraph({
  name: 'records',
  resolvers: [TripResolver, SafetyEventResolver, VehicleOfRecordsResolver, DriverOfRecordsResolver],
  owned: { Trip: resolveTrip, SafetyEvent: resolveSafetyEvent },
  orphans: [VehicleOfRecords, DriverOfRecords],
})
