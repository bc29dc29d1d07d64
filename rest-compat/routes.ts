import type { Route } from './route.ts'
import { getCurrentConnection, listConnections } from './routes/connections.ts'
import { listDrivers } from './routes/drivers.ts'
import { listProviders } from './routes/providers.ts'
import { listTrips } from './routes/trips.ts'
import { getVehicle, listVehicleLocations, listVehicles } from './routes/vehicles.ts'

/** Every path under /tsp/v1, in the order of the specification (4.1, 4.15). */
export const routes: readonly Route[] = [
  listConnections, //       GET /connections            Authorization
  getCurrentConnection, //  GET /connections/current    both
  listProviders, //         GET /providers              none; with Authorization more
  getVehicle, //            GET /vehicles/{id}          both
  listVehicleLocations, //  GET /vehicles/locations     both
  listDrivers, //           GET /drivers                both
  listTrips, //             GET /trips                  both
  listVehicles, //          GET /vehicles               both
]
