import { buildSubgraph } from '../schema/build-subgraph.ts'
import {
  LatestTrailerLocationResolver,
  LatestVehicleLocationResolver,
  NearbyVehiclesResolver,
  TelemetryTrailerExtensionResolver,
  TelemetryTripExtensionResolver,
  TelemetryVehicleExtensionResolver,
} from './location.resolver.ts'
import { TelemetryVehicleExtension } from './vehicle-extension.ts'
import { statLogTypeOf, statLogTypes } from './stat-log.ts'
import { TelemetryTrailerExtension } from './trailer-location.ts'
import { TelemetryTripExtension } from './trip-span.ts'

/** Subgraph of the locations of vehicles and trailers, and of measurements in vehicles. */
export const telemetrySubgraph = buildSubgraph({
  name: 'telemetry',
  resolvers: [
    LatestVehicleLocationResolver,
    LatestTrailerLocationResolver,
    NearbyVehiclesResolver,
    TelemetryVehicleExtensionResolver,
    TelemetryTrailerExtensionResolver,
    TelemetryTripExtensionResolver,
  ],
  owned: {},
  interfaces: { VehicleStatLog: statLogTypeOf },
  orphanedTypes: [
    TelemetryVehicleExtension,
    TelemetryTrailerExtension,
    TelemetryTripExtension,
    ...statLogTypes,
  ],
})
