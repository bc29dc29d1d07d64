import { defineSubgraph } from '../define.ts'
import { LatestVehicleLocationResolver, VehicleOfTelemetryResolver } from './location.resolver.ts'
import { VehicleOfTelemetry } from './owner.ts'

/** Where vehicles are and were. */
export const telemetrySubgraph = defineSubgraph({
  name: 'telemetry',
  resolvers: [LatestVehicleLocationResolver, VehicleOfTelemetryResolver],
  owned: {},
  orphans: [VehicleOfTelemetry],
})
