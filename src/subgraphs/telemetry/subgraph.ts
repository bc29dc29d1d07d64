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

/** Subgraph of the locations of vehicles and trailers, and of measurements in vehicles. */
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
