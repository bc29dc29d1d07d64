import { buildSubgraph } from '../schema/build-subgraph.ts'
import { FaultCodeEventResolver, resolveFaultCodeEvent } from './fault-code-event.resolver.ts'
import { faultCodeTypeOf, J1939FaultCodeEvent, ObdiiFaultCodeEvent } from './fault-code-event.ts'
import { HosResolver, resolveHosDailyLog, resolveHosLog } from './hos/hos.resolver.ts'
import {
  RecordsDriverExtensionResolver,
  RecordsVehicleExtensionResolver,
} from './entity-extensions.resolver.ts'
import { RecordsDriverExtension, RecordsVehicleExtension } from './entity-extensions.ts'
import { resolveSafetyEvent, SafetyEventResolver } from './safety/safety-event.resolver.ts'
import { AggregatesResolver } from './totals/aggregates.resolver.ts'
import { resolveTrip, TripResolver } from './trip.resolver.ts'

/** Subgraph of trips, safety events, hours of service, fault codes, utilization and IFTA distances. */
export const recordsSubgraph = buildSubgraph({
  name: 'records',
  resolvers: [
    TripResolver,
    SafetyEventResolver,
    HosResolver,
    FaultCodeEventResolver,
    AggregatesResolver,
    RecordsVehicleExtensionResolver,
    RecordsDriverExtensionResolver,
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
  orphanedTypes: [RecordsVehicleExtension, RecordsDriverExtension, J1939FaultCodeEvent, ObdiiFaultCodeEvent],
})
