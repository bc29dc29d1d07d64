import { buildSubgraph } from '../schema/build-subgraph.ts'
import { FleetConnectionExtension } from './connection-extension.ts'
import { FleetConnectionExtensionResolver } from './connection-extension.resolver.ts'
import { DeviceResolver, resolveDevice } from './device.resolver.ts'
import { DriverResolver, resolveDriver } from './driver.resolver.ts'
import { GroupResolver, resolveGroup } from './group.resolver.ts'
import { resolveTrailer, TrailerResolver } from './trailer.resolver.ts'
import { resolveVehicle, VehicleResolver } from './vehicle.resolver.ts'
import { VehicleFactsResolver } from './vehicle-facts/vehicle-facts.resolver.ts'

/** Subgraph of vehicles, drivers, trailers, groups and devices. */
export const fleetSubgraph = buildSubgraph({
  name: 'fleet',
  resolvers: [
    VehicleResolver,
    VehicleFactsResolver,
    DriverResolver,
    TrailerResolver,
    GroupResolver,
    DeviceResolver,
    FleetConnectionExtensionResolver,
  ],
  owned: {
    Vehicle: resolveVehicle,
    Driver: resolveDriver,
    Trailer: resolveTrailer,
    Group: resolveGroup,
    Device: resolveDevice,
  },
  orphanedTypes: [FleetConnectionExtension],
})
