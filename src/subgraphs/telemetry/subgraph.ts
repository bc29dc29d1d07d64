import { buildSubgraph } from '../schema/build-subgraph.ts'
import {
  LatestTrailerLocationResolver,
  LatestVehicleLocationResolver,
  TrailerExtensionResolver,
  TripExtensionResolver,
  VehicleExtensionResolver,
} from './location.resolver.ts'
import { VehicleExtension } from './vehicle-extension.ts'
import { statLogTypeOf, statLogTypes } from './stat-log.ts'
import { TrailerExtension } from './trailer-location.ts'
import { TripExtension } from './trip-span.ts'

/** Subgraph of the locations of vehicles and trailers, and of measurements in vehicles. */
export const telemetrySubgraph = buildSubgraph({
  name: 'telemetry',
  resolvers: [
    LatestVehicleLocationResolver,
    LatestTrailerLocationResolver,
    VehicleExtensionResolver,
    TrailerExtensionResolver,
    TripExtensionResolver,
  ],
  owned: {},
  interfaces: { VehicleStatLog: statLogTypeOf },
  orphanedTypes: [VehicleExtension, TrailerExtension, TripExtension, ...statLogTypes],
})
