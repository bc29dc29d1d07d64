import { buildSubgraph } from '../schema/build-subgraph.ts'
import {
  LatestTrailerLocationResolver,
  LatestVehicleLocationResolver,
  TrailerOfTelemetryResolver,
  TripOfTelemetryResolver,
  VehicleOfTelemetryResolver,
} from './location.resolver.ts'
import { VehicleOfTelemetry } from './vehicle-extension.ts'
import { statLogTypeOf, statLogTypes } from './stat-log.ts'
import { TrailerOfTelemetry } from './trailer-location.ts'
import { TripOfTelemetry } from './trip-span.ts'

/** Where vehicles and trailers are and were, and what was measured in vehicles. */
export const telemetrySubgraph = buildSubgraph({
  name: 'telemetry',
  resolvers: [
    LatestVehicleLocationResolver,
    LatestTrailerLocationResolver,
    VehicleOfTelemetryResolver,
    TrailerOfTelemetryResolver,
    TripOfTelemetryResolver,
  ],
  owned: {},
  interfaces: { VehicleStatLog: statLogTypeOf },
  orphans: [VehicleOfTelemetry, TrailerOfTelemetry, TripOfTelemetry, ...statLogTypes],
})
